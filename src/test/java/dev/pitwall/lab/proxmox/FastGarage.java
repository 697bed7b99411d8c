package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;

/** The garage, a hundred times as fast and without a wait after a wrong password: one lab for a class of tests. */
final class FastGarage implements BeforeAllCallback, AfterAllCallback {
    /** Lab seconds a real one. */
    static final double SPEED = 100;

    private Path dir;
    private Lab lab;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        dir = Files.createTempDirectory("fast-garage");
        lab = Lab.start(LabOptions.garage(dir).withLoginPenalty(Duration.ZERO).withSpeed(SPEED));
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        lab.close();
        // Its test class keeps this for the rest of the process.
        lab = null;
        try (var paths = Files.walk(dir)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }

    Lab lab() {
        return lab;
    }

    /** Lets the lab's time pass no faster than real time until it is closed, so that a client can meet what soon ends. */
    AutoCloseable unhurried() {
        lab.world().clock().speed(1);
        return () -> lab.world().clock().speed(SPEED);
    }

    PveClient root(String host) throws Exception {
        return PveClient.root(lab, host);
    }

    PveClient desk(String host) throws Exception {
        return PveClient.desk(lab, host);
    }
}
