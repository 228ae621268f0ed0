"""What triggers of ours write down: deadlines, moves, ticks and mail, by the database's clock."""

import psycopg

LOGS = """
CREATE SCHEMA faults;
CREATE TABLE faults.deadline (
    id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seat_id bigint, person_id bigint, phase_no int, deadline_at timestamptz, absent boolean);
CREATE INDEX ON faults.deadline (seat_id, phase_no, id);
CREATE TABLE faults.move (
    id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    move_id bigint, game_id bigint, seat_id bigint, phase_no int, cause text);
CREATE TABLE faults.tick (
    id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    tick timestamptz);
CREATE TABLE faults.dropped (
    id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
    email_id bigint, game_id bigint, person_id bigint, phase_no int, still_asked boolean);

CREATE FUNCTION faults.note_deadline() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' OR NEW.deadline_at IS DISTINCT FROM OLD.deadline_at
            OR NEW.to_move_phase IS DISTINCT FROM OLD.to_move_phase THEN
        INSERT INTO faults.deadline (seat_id, person_id, phase_no, deadline_at, absent) VALUES
            (NEW.id, NEW.user_id, NEW.to_move_phase, NEW.deadline_at, NEW.absent_since IS NOT NULL);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER faults_deadline AFTER INSERT OR UPDATE ON games_seat
    FOR EACH ROW EXECUTE FUNCTION faults.note_deadline();

CREATE FUNCTION faults.note_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO faults.move (move_id, game_id, seat_id, phase_no, cause) VALUES
        (NEW.id, NEW.game_id, NEW.seat_id, NEW.phase_no, NEW.cause);
    RETURN NULL;
END $$;
CREATE TRIGGER faults_move AFTER INSERT ON games_move
    FOR EACH ROW EXECUTE FUNCTION faults.note_move();

CREATE FUNCTION faults.note_tick() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO faults.tick (tick) VALUES (NEW.at);
    RETURN NULL;
END $$;
CREATE TRIGGER faults_tick AFTER INSERT OR UPDATE ON games_tick
    FOR EACH ROW WHEN (NEW.name = 'sweep') EXECUTE FUNCTION faults.note_tick();

CREATE FUNCTION faults.note_dropped() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO faults.dropped (email_id, game_id, person_id, phase_no, still_asked) VALUES
        (NEW.id, NEW.game_id, NEW.person_id, NEW.phase_no, EXISTS (
            SELECT FROM games_seat WHERE game_id = NEW.game_id AND user_id = NEW.person_id
            AND to_move_phase = NEW.phase_no AND deadline_at IS NOT NULL));
    RETURN NULL;
END $$;
CREATE TRIGGER faults_dropped AFTER UPDATE OF status ON games_outboxemail
    FOR EACH ROW WHEN (NEW.kind = 'your_turn' AND NEW.status = 'dropped')
    EXECUTE FUNCTION faults.note_dropped();
"""


def write_logs(connection: psycopg.Connection, owner: str) -> None:
    """Make the logs, which belong to the site's own role: so they are in its backups."""
    connection.execute(f"SET ROLE {owner}")
    connection.execute(LOGS)
    connection.execute("RESET ROLE")
