package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.LabTalos;
import dev.pitwall.lab.world.World;
import dev.talos.api.machine.ApplyConfiguration;
import dev.talos.api.machine.ApplyConfigurationRequest;
import dev.talos.api.machine.ApplyConfigurationRequest.Mode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import java.time.Duration;

/**
 * ApplyConfiguration in its modes. Which mode does what, and the texts, are those of Talos v1.13; from 1.14 on the mode
 * REBOOT, which is the default of the protocol, is refused (facts: cluster.md 4.3, 4.5).
 */
final class Configuring {
    private final World world;
    private final TalosData data;
    private final TalosMachines machines;

    Configuring(World world, TalosData data, TalosMachines machines) {
        this.world = world;
        this.data = data;
        this.machines = machines;
    }

    private record Now(MachineConfig config, TalosData.Release release) {
    }

    ApplyConfiguration apply(String name, ApplyConfigurationRequest request) {
        Now now = now(name);
        MachineConfig config;
        try {
            config = MachineConfig.checked(request.getData().toStringUtf8(), now.release());
        } catch (ConfigRefusal e) {
            throw Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException();
        }
        boolean newer = now.release().isAtLeast("v1.14.0");
        if (newer && request.getMode() == Mode.REBOOT) {
            throw Status.UNIMPLEMENTED.withDescription("the REBOOT mode is not supported, please use AUTO or NO_REBOOT"
                    + " modes instead").asRuntimeException();
        }
        boolean immediate = newer || now.config().isImmediateTo(config);
        String notNow = "this config change can't be applied in immediate mode\ndiff:\n"
                + LineDiff.of(now.config().text(), config.text());
        Mode chosen = chosen(request.getMode(), immediate, notNow);
        String details = switch (chosen) {
            case NO_REBOOT, TRY -> "Applied configuration without a reboot";
            case STAGED -> "Staged configuration to be applied after the next reboot";
            default -> "Applied configuration with a reboot";
        };
        if (request.getDryRun()) {
            String diff = LineDiff.of(now.config().text(), config.text());
            return answer(chosen, "Dry run summary:\n" + details + " (skipped in dry-run).\nConfig diff:\n\n"
                    + (diff.isEmpty() ? "No changes." : diff));
        }
        return answer(chosen, details + doIt(name, config, chosen, request)
                + (request.getMode() == Mode.AUTO && chosen == Mode.REBOOT ? ": " + notNow : ""));
    }

    private Now now(String name) {
        return world.read(w -> {
            LabTalos talos = w.nodes.get(name).talos.orElseThrow();
            return new Now(MachineConfig.inForce(talos.config), data.release(talos.version).orElseThrow());
        });
    }

    private static Mode chosen(Mode asked, boolean immediate, String notNow) {
        return switch (asked) {
            case AUTO -> immediate ? Mode.NO_REBOOT : Mode.REBOOT;
            case NO_REBOOT, TRY -> {
                if (!immediate) {
                    throw Status.INVALID_ARGUMENT.withDescription(notNow).asRuntimeException();
                }
                yield asked;
            }
            case STAGED, REBOOT -> asked;
            case UNRECOGNIZED -> throw unknown();
        };
    }

    private static StatusRuntimeException unknown() {
        return Sending.plain("incorrect mode specified for the apply config call");
    }

    /** @return what is said besides the usual */
    private String doIt(String name, MachineConfig config, Mode mode, ApplyConfigurationRequest request) {
        switch (mode) {
            case NO_REBOOT -> machines.configure(name, config, TalosMachines.Keep.SAVED, Duration.ZERO);
            case STAGED -> machines.stage(name, config);
            case REBOOT -> {
                machines.stage(name, config);
                machines.reboot(name);
            }
            case TRY -> {
                Duration time = request.hasTryModeTimeout() ? Duration.ofSeconds(request.getTryModeTimeout().getSeconds())
                        : TalosMachines.TRY;
                machines.configure(name, config, TalosMachines.Keep.TRIED, time);
                return "\nThe config is applied in 'try' mode and will be automatically reverted back in " + go(time);
            }
            default -> throw unknown();
        }
        return "";
    }

    /** A duration as Go prints it, {@code 1m0s}. */
    private static String go(Duration time) {
        return (time.toHours() > 0 ? time.toHours() + "h" : "") + (time.toMinutes() > 0 ? time.toMinutesPart() + "m" : "")
                + time.toSecondsPart() + "s";
    }

    private static ApplyConfiguration answer(Mode mode, String details) {
        return ApplyConfiguration.newBuilder().setMode(mode).setModeDetails(details).build();
    }
}
