-- Writes those notices of an append that somebody wants, and returns how many. "matches" are the matches that the append
-- has moved, "audience" is everybody whom the notices concern. Most often nobody wants any of them, and one question for
-- the whole append finds that out. As a function it keeps the append's own plan small.
CREATE FUNCTION "write_notices"("matches" UUID[], "audience" UUID[], "notices" JSON) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "written" INTEGER;
BEGIN
  IF NOT EXISTS (SELECT FROM "webhooks" w WHERE w."player_id" = ANY ("audience") AND w."disabled_at" IS NULL)
     AND NOT EXISTS (SELECT FROM "emails" e WHERE e."player_id" = ANY ("audience") AND e."confirmed_at" IS NOT NULL)
     AND NOT EXISTS (SELECT FROM "webhooks" w WHERE w."match_id" = ANY ("matches") AND w."disabled_at" IS NULL) THEN
    RETURN 0;
  END IF;
  INSERT INTO "notices" ("type", "match_id", "version", "player_id", "seat", "at", "deadline", "renewed")
  SELECT n."type", n."matchId", n."version", n."playerId", n."seat", n."at", n."deadline", n."renewed"
    FROM json_to_recordset("notices") AS n("type" "NoticeType", "matchId" UUID, "version" INTEGER, "playerId" UUID,
           "seat" INTEGER, "at" TIMESTAMPTZ, "deadline" TIMESTAMPTZ, "renewed" BOOLEAN, "audience" UUID[])
   WHERE n."matchId" = ANY ("matches") AND "wants_notice"(n."matchId", n."audience");
  GET DIAGNOSTICS "written" = ROW_COUNT;
  RETURN "written";
END $$;
