package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.Optional;

/**
 * One exact alteration of one system, complete in itself: what is expected there, what will be there, and how it is
 * taken back. It holds no secret, since it is written to the journal as it is.
 */
public sealed interface Change permits FileChange, CommandChange, VmConfigChange, VmCreation, VmRemoval,
        MappingChange, ManifestChange, HelmChange, TalosUpgrade, TalosConfigChange, PackageChange, HostReboot, NodeReboot,
        VmPowerCycle, PodRun, PodRestart, ModelChange, ModelAsk {

    /** The machine, Proxmox node or cluster that it is made on, as the site names it. */
    String system();

    /** What sort of thing it alters. */
    default Kind kind() {
        return switch (this) {
            case FileChange c -> Kind.FILE;
            case VmConfigChange c -> Kind.API;
            case VmCreation c -> Kind.API;
            case VmRemoval c -> Kind.API;
            case MappingChange c -> Kind.API;
            case ModelChange c -> Kind.API;
            case ModelAsk c -> Kind.API;
            case PodRestart c -> Kind.API;
            case ManifestChange c -> Kind.MANIFEST;
            case HelmChange c -> Kind.HELM;
            case TalosUpgrade c -> Kind.API;
            case TalosConfigChange c -> Kind.API;
            case CommandChange c -> Kind.COMMAND;
            case VmPowerCycle c -> Kind.POWER;
            case HostReboot c -> Kind.POWER;
            case PackageChange c -> Kind.COMMAND;
            case NodeReboot c -> Kind.POWER;
            case PodRun c -> Kind.MANIFEST;
        };
    }

    /** The file, the command, the API path or the machine. */
    String target();

    /** A few words beside the target, for example {@code new file, 4 lines}. */
    String summary();

    Risk risk();

    /** How it is taken back, in a few words a person reads before; empty where nothing has to be. */
    Optional<String> undo();

    /** How long it usually takes; empty for what is done at once. */
    Optional<Duration> usual();

    /** When it has its turn among the changes of a step, made or taken back. */
    default Turn turn() {
        return switch (this) {
            case FileChange c -> Turn.CONTENT;
            case VmConfigChange c -> Turn.CONTENT;
            case VmCreation c -> Turn.CONTENT;
            case VmRemoval c -> Turn.CONTENT;
            case MappingChange c -> Turn.CONTENT;
            case ManifestChange c -> Turn.CONTENT;
            case HelmChange c -> Turn.CONTENT;
            case TalosUpgrade c -> Turn.CONTENT;
            case TalosConfigChange c -> Turn.CONTENT;
            case ModelChange c -> Turn.CONTENT;
            case PackageChange c -> Turn.CONTENT;
            case CommandChange c -> Turn.REFRESH;
            case PodRestart c -> Turn.REFRESH;
            case VmPowerCycle c -> Turn.POWER;
            case HostReboot c -> Turn.POWER;
            case NodeReboot c -> Turn.POWER;
            case PodRun c -> Turn.PROOF;
            case ModelAsk c -> Turn.PROOF;
        };
    }

    /**
     * First what is stored, then the commands that carry it on, then power, then what only tries whether it works. Undo
     * keeps this order: it restores all contents, last one first, and only then runs the commands and the power again;
     * a proof leaves nothing to take back.
     */
    enum Turn { CONTENT, REFRESH, POWER, PROOF }
}
