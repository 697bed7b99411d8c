package dev.pitwall.cli;

import dev.pitwall.card.TroubleException;

import java.nio.file.Path;
import java.util.List;

/** Starts practice labs for the command line. */
@FunctionalInterface
public interface ServeLab {

    /** @throws TroubleException for an unknown scene, fault or card, or a folder that cannot be written */
    Served start(LabRequest request) throws TroubleException;

    /** A lab that runs until it is closed. */
    interface Served extends AutoCloseable {
        /** One line an endpoint: system, name, address. */
        List<Endpoint> endpoints();

        Path siteFile();

        Path kubeconfig();

        @Override
        void close();
    }

    /** @param system for example {@code proxmox} */
    record Endpoint(String system, String name, String address) {
    }
}
