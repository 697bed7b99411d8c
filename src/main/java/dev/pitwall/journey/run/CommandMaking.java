package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.CommandChange;

import java.time.Instant;
import java.util.Optional;

/**
 * Runs a command. It comes to the same end however often it is run, so it is run again whenever its end was not seen.
 */
final class CommandMaking implements Making {
    private final CommandChange change;
    private final Machine machine;
    private final Patience patience;

    CommandMaking(CommandChange change, Machine machine, Patience patience) {
        this.change = change;
        this.machine = machine;
        this.patience = patience;
    }

    @Override
    public Standing standing(Optional<String> mark) {
        return Standing.BEFORE;
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        Instant limit = patience.in(change.limit());
        Ran ran;
        try {
            ran = machine.run(change.arguments(), change.limit(), line -> { });
        } catch (TroubleException e) {
            throw patience.past(limit) && e.trouble().kind() == Trouble.Kind.TIMEOUT ? endless() : e;
        }
        if (!ran.ok()) {
            throw failed(ran);
        }
        return "";
    }

    /** A command that hangs is no lost connection: running it once more would hang as well. */
    private TroubleException endless() {
        return Refusal.failed(place(), "it did not end within " + Spans.words(change.limit()),
                "See on " + change.host() + " what it waits for.");
    }

    private TroubleException failed(Ran ran) {
        if (ran.notFound()) {
            return Refusal.failed(place(), change.host() + " has no program " + change.arguments().getFirst(),
                    "Install it there, then go on.");
        }
        String how = ran.exit().isPresent() ? "it failed with exit code " + ran.exit().getAsInt() : "a signal ended it";
        String said = ran.lastWords();
        return Refusal.failed(place(), said.isEmpty() ? how : how + ": " + said,
                "Run it by hand on " + change.host() + " to see all that it says.");
    }

    private String place() {
        return change.target() + " on " + change.host();
    }
}
