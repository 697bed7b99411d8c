package dev.pitwall.lab.kube.machine;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process gets from NVML when it starts. The library is the one of the driver container or of the host,
 * whichever {@code driver-ready} names; the kernel module must be of the same release.
 */
public final class Nvml {
    private static final Pattern VERSION = Pattern.compile("(?m)^DRIVER_VERSION=(\\S+)$");

    private Nvml() {
    }

    /** What NVML says against it, in its own words; empty if it works. */
    public static Optional<String> trouble(NodeMachine machine) {
        DriverFacts driver = machine.driver();
        if (!driver.isLoaded()) {
            return Optional.of("Driver Not Loaded");
        }
        if (!library(machine, driver).equals(driver.version())) {
            return Optional.of("Driver/library version mismatch");
        }
        boolean allLost = !machine.cards().isEmpty() && machine.cards().stream().allMatch(CardFacts::lost);
        return allLost ? Optional.of("Unknown Error") : Optional.empty();
    }

    /** Release of the libraries that containers are given; the module's own where nothing says otherwise. */
    public static String library(NodeMachine machine) {
        return library(machine, machine.driver());
    }

    private static String library(NodeMachine machine, DriverFacts driver) {
        boolean host = machine.file(NodeMachine.VALIDATIONS + "driver-ready")
                .map(text -> text.contains("IS_HOST_DRIVER=true")).orElse(driver.isHosts());
        return (host ? machine.hostLibraries() : containerLibraries(machine)).orElse(driver.version());
    }

    private static Optional<String> containerLibraries(NodeMachine machine) {
        return machine.file(NodeMachine.DRIVER_STATE).map(VERSION::matcher).filter(Matcher::find)
                .map(m -> m.group(1));
    }
}
