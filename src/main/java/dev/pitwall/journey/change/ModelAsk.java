package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Optional;

/**
 * A model server loads a model and answers a question, and is asked whether all of the model is on the card. The model
 * stays in its memory for as long as the server usually keeps it; there is nothing to take back.
 *
 * @param cluster the cluster in the site
 * @param service in front of the server
 * @param port    of the service
 * @param boot    boot id of the node, for the journal
 * @param driver  version of the node's driver, for the journal
 * @param limit   how long loading and answering may take
 */
public record ModelAsk(String cluster, ObjectRef service, int port, String model, String boot, String driver,
                       Duration takes, Duration limit) implements Change {

    /** What is tried, for the journal. */
    public String key() {
        return service.namespace() + "/" + service.name() + " " + model;
    }

    @Override
    public String system() {
        return cluster;
    }

    @Override
    public String target() {
        return "ask " + model + " of " + service;
    }

    @Override
    public String summary() {
        return "loads the model, has it answer, and sees whether all of it is on the card";
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.empty();
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.of(takes);
    }
}
