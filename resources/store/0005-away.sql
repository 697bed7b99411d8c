-- Models that were moved to the processor to be measured there and have to go back, as JSON.
ALTER TABLE engine ADD COLUMN away TEXT CHECK (json_valid(away));
