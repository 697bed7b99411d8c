package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;

import java.util.Optional;

/** Gives a file its bytes. The bytes themselves tell whether that was done, so nothing has to be noted before. */
final class FileMaking implements Making {
    private final FileChange change;
    private final Machine machine;
    private final String copyBefore;

    /** @param copyBefore where the bytes that were there are kept; empty text for no copy */
    FileMaking(FileChange change, Machine machine, String copyBefore) {
        this.change = change;
        this.machine = machine;
        this.copyBefore = copyBefore;
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        Content now = machine.read(change.path());
        if (now.equals(change.after())) {
            return Standing.AFTER;
        }
        return now.equals(change.before()) ? Standing.BEFORE : new Standing.Other(other(now));
    }

    private String other(Content now) {
        if (now.absent()) {
            return change.path() + " on " + change.host() + " is gone";
        }
        return change.path() + " on " + change.host() + (change.before().absent() ? " is there, with other contents"
                : " has changed");
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        machine.write(change.path(), change.after(), change.before().absent() ? "" : copyBefore);
        if (!machine.read(change.path()).equals(change.after())) {
            throw Refusal.failed(change.path() + " on " + change.host(), "it was written, and reads otherwise",
                    "See what else writes this file.");
        }
        return "";
    }
}
