package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.change.TalosConfigChange;
import java.util.Optional;

/** Sets fields of a Talos node's machine configuration, after Talos itself has tried them without writing. */
final class TalosConfigMaking implements Making {
    private final TalosConfigChange change;
    private final Talos talos;

    TalosConfigMaking(TalosConfigChange change, Talos talos) {
        this.change = change;
        this.talos = talos;
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        JsonNode now = talos.config(change.address(), change.after());
        if (now.equals(change.after())) {
            return Standing.AFTER;
        }
        if (!now.equals(change.before())) {
            return new Standing.Other("the machine configuration of " + change.node() + " has other values than before");
        }
        // Whatever Talos does not take stops the run here, before anything is written anywhere.
        talos.setConfig(change.address(), change.before(), change.after(), Earnest.TRY);
        return Standing.BEFORE;
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        return talos.setConfig(change.address(), change.before(), change.after(), Earnest.MAKE).lines().findFirst().orElse("");
    }
}
