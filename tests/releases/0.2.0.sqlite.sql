BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE book (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	house BOOLEAN NOT NULL, 
	version INTEGER NOT NULL, 
	created DATETIME NOT NULL, estimates BOOLEAN DEFAULT 1 NOT NULL, 
	CONSTRAINT pk_book PRIMARY KEY (id)
);
INSERT INTO "book" VALUES(1,'',1,2,'2026-11-30 09:43:21.135568',1);
INSERT INTO "book" VALUES(2,'',0,2,'2026-11-30 09:43:21.225104',1);
CREATE TABLE entry (
	game_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	phone_id INTEGER, 
	base INTEGER NOT NULL, 
	time DATETIME NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	data JSON NOT NULL, 
	CONSTRAINT pk_entry PRIMARY KEY (game_id, seq), 
	CONSTRAINT fk_entry_game_id FOREIGN KEY(game_id) REFERENCES game (id), 
	CONSTRAINT fk_entry_phone_id FOREIGN KEY(phone_id) REFERENCES phone (id), 
	CONSTRAINT uq_entry_game_id_key UNIQUE (game_id, "key")
);
INSERT INTO "entry" VALUES(1,1,'slip',1,0,'2026-11-30 09:43:21.183931','hand','{"hand": 1, "bids": {"0": 1}}');
INSERT INTO "entry" VALUES(1,2,'undo',2,1,'2026-11-30 09:43:21.185508','undone','{"key": "slip"}');
INSERT INTO "entry" VALUES(1,3,'hand-1',2,2,'2026-11-30 09:43:21.188351','hand','{"hand": 1, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 1, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(1,4,'hand-2',1,3,'2026-11-30 09:43:21.189858','hand','{"hand": 2, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 0, "2": 2, "3": 0}}');
INSERT INTO "entry" VALUES(1,5,'hand-3',2,4,'2026-11-30 09:43:21.191214','hand','{"hand": 3, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 0, "2": 0, "3": 3}}');
INSERT INTO "entry" VALUES(1,6,'hand-4',1,5,'2026-11-30 09:43:21.192655','hand','{"hand": 4, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 4, "1": 0, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(1,7,'hand-5',2,6,'2026-11-30 09:43:21.194006','hand','{"hand": 5, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 5, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(1,8,'hand-6',1,7,'2026-11-30 09:43:21.195356','hand','{"hand": 6, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 0, "2": 6, "3": 0}}');
INSERT INTO "entry" VALUES(1,9,'hand-7',2,8,'2026-11-30 09:43:21.196654','hand','{"hand": 7, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 0, "2": 0, "3": 7}}');
INSERT INTO "entry" VALUES(1,10,'hand-8',1,9,'2026-11-30 09:43:21.197992','hand','{"hand": 8, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 8, "1": 0, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(1,11,'hand-9',2,10,'2026-11-30 09:43:21.199367','hand','{"hand": 9, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 9, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(1,12,'hand-10',1,11,'2026-11-30 09:43:21.200596','hand','{"hand": 10, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 0, "2": 10, "3": 0}}');
INSERT INTO "entry" VALUES(1,13,'hand-11',2,12,'2026-11-30 09:43:21.201844','hand','{"hand": 11, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 0, "2": 0, "3": 11}}');
INSERT INTO "entry" VALUES(1,14,'hand-12',1,13,'2026-11-30 09:43:21.203069','hand','{"hand": 12, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 12, "1": 0, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(1,15,'hand-13',2,14,'2026-11-30 09:43:21.204248','hand','{"hand": 13, "bids": {"0": 0, "1": 0, "2": 0, "3": 0}, "tricks": {"0": 0, "1": 13, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(1,16,'late',1,15,'2026-11-30 09:43:21.209556','hand','{"hand": 2, "adjust": {"1": "1/2"}, "adjust_note": {"1": "spilt"}, "note": "counted again"}');
INSERT INTO "entry" VALUES(2,1,'bids',1,0,'2026-11-30 09:43:21.217011','hand','{"hand": 1, "bids": {"0": 1, "1": 0, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(2,2,'tricks',1,1,'2026-11-30 09:43:21.218501','hand','{"hand": 1, "tricks": {"0": 1, "1": 0, "2": 0, "3": 0}}');
INSERT INTO "entry" VALUES(2,3,'table',1,2,'2026-11-30 09:43:21.219254','table','{"hand": 2, "table": [0, 2, 1, 3], "carry": {}}');
INSERT INTO "entry" VALUES(2,4,'end',1,3,'2026-11-30 09:43:21.220430','ended','{"reason": "late"}');
INSERT INTO "entry" VALUES(3,1,'bids',3,0,'2026-11-30 09:43:21.230527','hand','{"hand": 1, "bids": {"0": 1, "1": 0}, "trump": "S"}');
CREATE TABLE game (
	id INTEGER NOT NULL, 
	code VARCHAR(10) NOT NULL, 
	book_id INTEGER NOT NULL, 
	title VARCHAR NOT NULL, 
	preset VARCHAR, 
	rules JSON NOT NULL, 
	first_seats INTEGER NOT NULL, 
	first_dealer INTEGER NOT NULL, 
	"key" VARCHAR(64), 
	started DATETIME NOT NULL, 
	ended DATETIME, 
	next_game_id INTEGER, 
	CONSTRAINT pk_game PRIMARY KEY (id), 
	CONSTRAINT fk_game_book_id FOREIGN KEY(book_id) REFERENCES book (id), 
	CONSTRAINT fk_game_next_game_id FOREIGN KEY(next_game_id) REFERENCES game (id), 
	CONSTRAINT uq_game_book_id_key UNIQUE (book_id, "key"), 
	CONSTRAINT uq_game_code UNIQUE (code), 
	CONSTRAINT uq_game_next_game_id UNIQUE (next_game_id)
);
INSERT INTO "game" VALUES(1,'M4ZVV74TRA',1,'First evening','oh_hell','{"players": [3, 7], "deck": "french52", "cards_in_deck": 52, "direction": "clockwise", "deal_passes": "left", "schedule": {"max": {"kind": "table", "table": {"3": 15, "4": 13, "5": 10, "6": 8, "7": 7}}, "segments": [{"from": 1, "to": "max", "step": 1, "each": 1}]}, "trump": {"method": "turn_up", "no_trump_on": ["last_hand"], "when_no_card_left": "none", "allow_no_trump": false, "bid_tie": "first"}, "bidding": {"mode": "sequential", "first": "left_of_dealer", "hook": "never", "hook_min_cards": 1, "hook_not_in_first_hand": false, "hook_not_in_last_hand": false, "one_card_blind": false, "total_must_equal": false}, "play": {"first_lead": "left_of_dealer", "must_trump": false, "must_overtrump": false, "must_head": false, "trump_lead": "free"}, "scoring": {"id": "exact", "name": "Exact", "direction": "high", "cases": [{"when": {"made": true}, "points": {"const": 10, "tricks": 1}}, {"when": {}, "points": {"const": 0}}], "where": "the base game; Kachuful in India; Serbia", "source": ["the base article", "https://en.wikipedia.org/wiki/Oh_Hell (2020 text)", "http://www.self.gutenberg.org/articles/eng/Kachufool", "https://igresakartama.com/oh-hell/"]}, "end": {"kind": "schedule"}, "tie": "shared"}',4,3,'first','2026-11-30 09:43:21.164687','2026-11-30 09:43:21.204248',2);
INSERT INTO "game" VALUES(2,'RCE818CCKJ',1,'First evening','oh_hell','{"players": [3, 7], "deck": "french52", "cards_in_deck": 52, "direction": "clockwise", "deal_passes": "left", "schedule": {"max": {"kind": "table", "table": {"3": 15, "4": 13, "5": 10, "6": 8, "7": 7}}, "segments": [{"from": 1, "to": "max", "step": 1, "each": 1}]}, "trump": {"method": "turn_up", "no_trump_on": ["last_hand"], "when_no_card_left": "none", "allow_no_trump": false, "bid_tie": "first"}, "bidding": {"mode": "sequential", "first": "left_of_dealer", "hook": "never", "hook_min_cards": 1, "hook_not_in_first_hand": false, "hook_not_in_last_hand": false, "one_card_blind": false, "total_must_equal": false}, "play": {"first_lead": "left_of_dealer", "must_trump": false, "must_overtrump": false, "must_head": false, "trump_lead": "free"}, "scoring": {"id": "exact", "name": "Exact", "direction": "high", "cases": [{"when": {"made": true}, "points": {"const": 10, "tricks": 1}}, {"when": {}, "points": {"const": 0}}], "where": "the base game; Kachuful in India; Serbia", "source": ["the base article", "https://en.wikipedia.org/wiki/Oh_Hell (2020 text)", "http://www.self.gutenberg.org/articles/eng/Kachufool", "https://igresakartama.com/oh-hell/"]}, "end": {"kind": "schedule"}, "tie": "shared"}',4,0,NULL,'2026-11-30 09:43:21.213397','2026-11-30 09:43:21.220430',NULL);
INSERT INTO "game" VALUES(3,'838GW60YCG',2,'','wizard','{"players": [3, 6], "deck": "wizard60", "cards_in_deck": 60, "direction": "clockwise", "deal_passes": "left", "schedule": {"max": {"kind": "deck"}, "segments": [{"from": 1, "to": "max", "step": 1, "each": 1}]}, "trump": {"method": "wizard_turn_up", "no_trump_on": [], "when_no_card_left": "none", "allow_no_trump": false, "bid_tie": "first"}, "bidding": {"mode": "sequential", "first": "left_of_dealer", "hook": "never", "hook_min_cards": 1, "hook_not_in_first_hand": false, "hook_not_in_last_hand": false, "one_card_blind": false, "total_must_equal": false}, "play": {"first_lead": "left_of_dealer", "must_trump": false, "must_overtrump": false, "must_head": false, "trump_lead": "free"}, "scoring": {"id": "wizard", "name": "Wizard", "direction": "high", "cases": [{"when": {"made": true}, "points": {"const": 20, "tricks": 10}}, {"when": {}, "points": {"diff": -10}}], "where": "Wizard", "source": ["https://ultraboardgames.com/wizard/game-rules.php", "https://en.doc.boardgamearena.com/index.php?title=Gamehelpwizard&oldid=7722", "http://wizardcards.com/Wizard-GettingStarted.html"]}, "end": {"kind": "schedule"}, "tie": "shared"}',3,0,'own','2026-11-30 09:43:21.226387',NULL,NULL);
CREATE TABLE invitation (
	id INTEGER NOT NULL, 
	book_id INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_invitation PRIMARY KEY (id), 
	CONSTRAINT fk_invitation_book_id FOREIGN KEY(book_id) REFERENCES book (id), 
	CONSTRAINT uq_invitation_hash UNIQUE (hash)
);
INSERT INTO "invitation" VALUES(1,1,'62ab5f8547d524646fe450e5d2fc27404e9c0d265fa7f5e1a70abb5454c87537','2026-11-30 09:43:21.171602');
INSERT INTO "invitation" VALUES(2,2,'c952b922b402b0a715e4a23f8ae81fe55508eeead132ec9978dbebf8d32ecec6','2026-11-30 09:43:21.232096');
CREATE TABLE line (
	game_id INTEGER NOT NULL, 
	hand INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	cards INTEGER NOT NULL, 
	bid INTEGER, 
	tricks INTEGER, 
	points_doubled INTEGER NOT NULL, 
	CONSTRAINT pk_line PRIMARY KEY (game_id, hand, seat), 
	CONSTRAINT fk_line_game_id_seat FOREIGN KEY(game_id, seat) REFERENCES seat (game_id, seat)
);
INSERT INTO "line" VALUES(1,1,0,1,0,0,20);
INSERT INTO "line" VALUES(1,1,1,1,0,1,0);
INSERT INTO "line" VALUES(1,1,2,1,0,0,20);
INSERT INTO "line" VALUES(1,1,3,1,0,0,20);
INSERT INTO "line" VALUES(1,2,0,2,0,0,20);
INSERT INTO "line" VALUES(1,2,1,2,0,0,21);
INSERT INTO "line" VALUES(1,2,2,2,0,2,0);
INSERT INTO "line" VALUES(1,2,3,2,0,0,20);
INSERT INTO "line" VALUES(1,3,0,3,0,0,20);
INSERT INTO "line" VALUES(1,3,1,3,0,0,20);
INSERT INTO "line" VALUES(1,3,2,3,0,0,20);
INSERT INTO "line" VALUES(1,3,3,3,0,3,0);
INSERT INTO "line" VALUES(1,4,0,4,0,4,0);
INSERT INTO "line" VALUES(1,4,1,4,0,0,20);
INSERT INTO "line" VALUES(1,4,2,4,0,0,20);
INSERT INTO "line" VALUES(1,4,3,4,0,0,20);
INSERT INTO "line" VALUES(1,5,0,5,0,0,20);
INSERT INTO "line" VALUES(1,5,1,5,0,5,0);
INSERT INTO "line" VALUES(1,5,2,5,0,0,20);
INSERT INTO "line" VALUES(1,5,3,5,0,0,20);
INSERT INTO "line" VALUES(1,6,0,6,0,0,20);
INSERT INTO "line" VALUES(1,6,1,6,0,0,20);
INSERT INTO "line" VALUES(1,6,2,6,0,6,0);
INSERT INTO "line" VALUES(1,6,3,6,0,0,20);
INSERT INTO "line" VALUES(1,7,0,7,0,0,20);
INSERT INTO "line" VALUES(1,7,1,7,0,0,20);
INSERT INTO "line" VALUES(1,7,2,7,0,0,20);
INSERT INTO "line" VALUES(1,7,3,7,0,7,0);
INSERT INTO "line" VALUES(1,8,0,8,0,8,0);
INSERT INTO "line" VALUES(1,8,1,8,0,0,20);
INSERT INTO "line" VALUES(1,8,2,8,0,0,20);
INSERT INTO "line" VALUES(1,8,3,8,0,0,20);
INSERT INTO "line" VALUES(1,9,0,9,0,0,20);
INSERT INTO "line" VALUES(1,9,1,9,0,9,0);
INSERT INTO "line" VALUES(1,9,2,9,0,0,20);
INSERT INTO "line" VALUES(1,9,3,9,0,0,20);
INSERT INTO "line" VALUES(1,10,0,10,0,0,20);
INSERT INTO "line" VALUES(1,10,1,10,0,0,20);
INSERT INTO "line" VALUES(1,10,2,10,0,10,0);
INSERT INTO "line" VALUES(1,10,3,10,0,0,20);
INSERT INTO "line" VALUES(1,11,0,11,0,0,20);
INSERT INTO "line" VALUES(1,11,1,11,0,0,20);
INSERT INTO "line" VALUES(1,11,2,11,0,0,20);
INSERT INTO "line" VALUES(1,11,3,11,0,11,0);
INSERT INTO "line" VALUES(1,12,0,12,0,12,0);
INSERT INTO "line" VALUES(1,12,1,12,0,0,20);
INSERT INTO "line" VALUES(1,12,2,12,0,0,20);
INSERT INTO "line" VALUES(1,12,3,12,0,0,20);
INSERT INTO "line" VALUES(1,13,0,13,0,0,20);
INSERT INTO "line" VALUES(1,13,1,13,0,13,0);
INSERT INTO "line" VALUES(1,13,2,13,0,0,20);
INSERT INTO "line" VALUES(1,13,3,13,0,0,20);
INSERT INTO "line" VALUES(2,1,0,1,1,1,22);
INSERT INTO "line" VALUES(2,1,1,1,0,0,20);
INSERT INTO "line" VALUES(2,1,2,1,0,0,20);
INSERT INTO "line" VALUES(2,1,3,1,0,0,20);
CREATE TABLE pen (
	id INTEGER NOT NULL, 
	book_id INTEGER NOT NULL, 
	phone_id INTEGER NOT NULL, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_pen PRIMARY KEY (id), 
	CONSTRAINT fk_pen_book_id FOREIGN KEY(book_id) REFERENCES book (id), 
	CONSTRAINT fk_pen_phone_id FOREIGN KEY(phone_id) REFERENCES phone (id), 
	CONSTRAINT uq_pen_book_id_phone_id UNIQUE (book_id, phone_id)
);
INSERT INTO "pen" VALUES(1,1,1,'2026-11-30 09:43:21.161285');
INSERT INTO "pen" VALUES(2,1,2,'2026-11-30 09:43:21.174996');
INSERT INTO "pen" VALUES(3,2,3,'2026-11-30 09:43:21.225390');
CREATE TABLE phone (
	id INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_phone PRIMARY KEY (id), 
	CONSTRAINT uq_phone_hash UNIQUE (hash)
);
INSERT INTO "phone" VALUES(1,'ebe440272fc625fb47da2a2ea4dbf3f68310cb177cd7bd77e3a7789b325b5fa2','2026-11-30 09:43:21.138749');
INSERT INTO "phone" VALUES(2,'dbdb7086ffe47a04ad723233520d8bf7851a23e5b50311d85f6af9b67a70718d','2026-11-30 09:43:21.169870');
INSERT INTO "phone" VALUES(3,'7447df28ff7e58b9baeab029e34b18b7216e46839508f37cf312b9927f55861a','2026-11-30 09:43:21.223014');
CREATE TABLE player (
	id INTEGER NOT NULL, 
	book_id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	folded VARCHAR NOT NULL, 
	colour INTEGER NOT NULL, 
	CONSTRAINT pk_player PRIMARY KEY (id), 
	CONSTRAINT fk_player_book_id FOREIGN KEY(book_id) REFERENCES book (id), 
	CONSTRAINT uq_player_book_id_folded UNIQUE (book_id, folded)
);
INSERT INTO "player" VALUES(1,1,'Ann','ann',1);
INSERT INTO "player" VALUES(2,1,'Bob','bob',2);
INSERT INTO "player" VALUES(3,1,'Cy','cy',3);
INSERT INTO "player" VALUES(4,1,'Zoë 👩‍👩‍👧','zoë 👩‍👩‍👧',4);
INSERT INTO "player" VALUES(5,2,'Dan','dan',1);
INSERT INTO "player" VALUES(6,2,'Eve','eve',2);
INSERT INTO "player" VALUES(7,2,'Flo','flo',3);
CREATE TABLE result (
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	total_doubled INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	made INTEGER NOT NULL, 
	hands INTEGER NOT NULL, 
	CONSTRAINT pk_result PRIMARY KEY (game_id, seat), 
	CONSTRAINT fk_result_game_id_seat FOREIGN KEY(game_id, seat) REFERENCES seat (game_id, seat)
);
INSERT INTO "result" VALUES(1,0,200,1,10,13);
INSERT INTO "result" VALUES(1,2,200,1,10,13);
INSERT INTO "result" VALUES(1,3,200,1,10,13);
INSERT INTO "result" VALUES(1,1,181,4,9,13);
INSERT INTO "result" VALUES(2,0,22,1,1,1);
INSERT INTO "result" VALUES(2,1,20,2,1,1);
INSERT INTO "result" VALUES(2,2,20,2,1,1);
INSERT INTO "result" VALUES(2,3,20,2,1,1);
CREATE TABLE seat (
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	CONSTRAINT pk_seat PRIMARY KEY (game_id, seat), 
	CONSTRAINT fk_seat_game_id FOREIGN KEY(game_id) REFERENCES game (id), 
	CONSTRAINT fk_seat_player_id FOREIGN KEY(player_id) REFERENCES player (id), 
	CONSTRAINT uq_seat_game_id_player_id UNIQUE (game_id, player_id)
);
INSERT INTO "seat" VALUES(1,0,1);
INSERT INTO "seat" VALUES(1,1,2);
INSERT INTO "seat" VALUES(1,2,3);
INSERT INTO "seat" VALUES(1,3,4);
INSERT INTO "seat" VALUES(2,0,1);
INSERT INTO "seat" VALUES(2,1,2);
INSERT INTO "seat" VALUES(2,2,3);
INSERT INTO "seat" VALUES(2,3,4);
INSERT INTO "seat" VALUES(3,0,5);
INSERT INTO "seat" VALUES(3,1,6);
INSERT INTO "seat" VALUES(3,2,7);
CREATE UNIQUE INDEX uq_book_house ON book (house) WHERE house;
CREATE INDEX ix_invitation_book_id ON invitation (book_id);
CREATE INDEX ix_pen_phone_id ON pen (phone_id);
CREATE INDEX ix_entry_phone_id ON entry (phone_id);
CREATE INDEX ix_seat_player_id ON seat (player_id);
COMMIT;
