package dev.pitwall.cli;

import dev.pitwall.card.TroubleException;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Starts practice labs for the command line. */
public interface ServeLab {

    /** @throws TroubleException for an unknown scene, fault or card, or a folder that cannot be written */
    Served start(LabRequest request) throws TroubleException;

    /** The faults that the lab of this request could begin with; starts nothing. */
    List<Fault> faults(LabRequest request) throws TroubleException;

    /** @param trap its name after {@code --fault} */
    record Fault(String trap, String summary) {
    }

    /** A lab that runs until it is closed. */
    interface Served extends AutoCloseable {
        /** One line an endpoint: system, name, address. */
        List<Endpoint> endpoints();

        /** Every user with a password. */
        List<Login> logins();

        Path siteFile();

        Path kubeconfig();

        @Override
        void close();
    }

    /**
     * A login of the lab, which opens nothing else.
     *
     * @param system {@code proxmox} or {@code ssh}
     * @param totp   secret of the second factor, in base32
     */
    record Login(String system, String user, String password, Optional<String> totp) {
    }

    /** @param system for example {@code proxmox} */
    record Endpoint(String system, String name, String address) {
    }
}
