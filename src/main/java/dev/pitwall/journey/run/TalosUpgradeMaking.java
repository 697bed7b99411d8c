package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.Talos.Installed;
import dev.pitwall.journey.Talos.Resource;
import dev.pitwall.journey.Talos.ResourceType;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.TalosUpgrade.Draining;
import dev.pitwall.journey.change.TalosUpgrade.Image;
import dev.pitwall.journey.talos.Schematic;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Brings a Talos node to another image. What runs is told by the node itself: its version, and the schematic that the
 * Image Factory wrote into the image. It has happened when the kernel's boot is another one, the image is the wanted one,
 * and the node is ready, in its own eyes and in the cluster's.
 */
final class TalosUpgradeMaking implements Making {
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";
    /** Ends a mark: nobody had closed the node to pods before. */
    private static final String WAS_OPEN = " open";
    private static final Set<Trouble.Kind> FINAL =
            EnumSet.of(Trouble.Kind.TRUST, Trouble.Kind.CREDENTIALS, Trouble.Kind.RIGHTS);

    private final TalosUpgrade change;
    private final Talos talos;
    private final ImageFactory factory;
    private final Optional<NodeDrain> drain;
    private final Patience patience;

    /** @param cluster empty where the node can be neither drained nor asked for through the cluster */
    TalosUpgradeMaking(TalosUpgrade change, Talos talos, ImageFactory factory, Optional<Cluster> cluster, Patience patience) {
        this.change = change;
        this.talos = talos;
        this.factory = factory;
        this.drain = cluster.map(c -> new NodeDrain(c, change.node(), patience));
        this.patience = patience;
    }

    @Override
    public Optional<String> mark() throws TroubleException, InterruptedException {
        boolean open = drain.isPresent() && !drain.get().closed();
        return Optional.of(boot() + (open ? WAS_OPEN : ""));
    }

    private String boot() throws TroubleException, InterruptedException {
        return "boot " + talos.read(change.address(), BOOT_ID).map(String::strip).filter(id -> !id.isEmpty())
                .orElseThrow(() -> Refusal.failed(BOOT_ID + " of " + change.node(),
                        "it is empty, so a reboot could not be told", "Look at the node's console."));
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        String version = talos.version(change.address()).tag();
        String schematic = schematic();
        if (is(change.after(), version, schematic)) {
            // Gone on with: it runs the image, and may still be on its way up.
            return mark.isEmpty() || settled(mark.get()) ? Standing.AFTER : Standing.BEFORE;
        }
        return is(change.before(), version, schematic) ? Standing.BEFORE : new Standing.Other(change.node() + " runs Talos "
                + version + " of another image" + (schematic.isEmpty() ? "" : " (schematic " + schematic.substring(0, 8) + "…)"));
    }

    private String schematic() throws TroubleException, InterruptedException {
        return talos.list(change.address(), ResourceType.EXTENSION).stream().map(Resource::spec)
                .filter(s -> s.at("/metadata/name").asText().equals("schematic"))
                .map(s -> s.at("/metadata/version").asText()).findFirst().orElse("");
    }

    /** The factory may count another id than was expected: what the image is made of decides then. */
    private boolean is(Image image, String version, String schematic) throws TroubleException, InterruptedException {
        if (!image.version().equals(version)) {
            return false;
        }
        return image.schematic().equals(schematic) || !schematic.isEmpty() && !image.content().isEmpty()
                && Schematic.parse(image.content()).equals(factory.schematic(schematic).flatMap(Schematic::parse));
    }

    private boolean settled(String mark) throws TroubleException, InterruptedException {
        if (mark.startsWith(boot())) {
            return false;
        }
        JsonNode status = talos.list(change.address(), ResourceType.MACHINE_STATUS).stream().map(Resource::spec).findFirst()
                .orElseThrow(() -> Refusal.silent(change.node(), "it does not say yet how it is", "Wait for it."));
        boolean ready = status.path("stage").asText().equals("running") && status.at("/status/ready").asBoolean();
        return ready && (drain.isEmpty() || drain.get().ready() && (!mark.endsWith(WAS_OPEN) || !drain.get().closed()));
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        Instant began = patience.now();
        String note = "";
        if (!is(change.after(), talos.version(change.address()).tag(), schematic())) {
            note = send();
        }
        Instant end = patience.in(change.limit());
        while (!back(mark.orElseThrow())) {
            if (patience.past(end)) {
                throw Refusal.silent(change.node(), "it was given another image and is not back after "
                        + Spans.words(change.limit()), "Look at its console; go on with the run when it is up.");
            }
            patience.untilNextLook();
        }
        return note + "back after " + Spans.words(Duration.between(began, patience.now()));
    }

    /** @return what a person should know of it; empty text for nothing */
    private String send() throws TroubleException, InterruptedException {
        Image wanted = change.after();
        String note = "";
        String reference = wanted.reference();
        if (!wanted.content().isEmpty()) {
            String id = factory.post(wanted.content());
            if (!id.equals(wanted.schematic())) {
                reference = reference.replace(wanted.schematic(), id);
                note = "the factory counts the id " + id + " for this schematic, which was used; ";
            }
        }
        if (change.draining() == Draining.DRAIN && drain.isPresent()) {
            drain.get().empty();
        }
        if (talos.upgrade(change.address(), reference, line -> { }) == Installed.TO_REBOOT) {
            talos.reboot(change.address());
        }
        return note;
    }

    private boolean back(String mark) throws TroubleException, InterruptedException {
        try {
            if (mark.startsWith(boot())) {
                return false;
            }
            if (mark.endsWith(WAS_OPEN) && drain.isPresent() && drain.get().closed()) {
                drain.get().open();
            }
            Standing now = standing(Optional.of(mark));
            if (now instanceof Standing.Before && is(change.before(), talos.version(change.address()).tag(), schematic())) {
                throw Refusal.failed(change.node(), "it has rebooted into the image of before",
                        "Its console and \"talosctl dmesg\" tell why the new one did not start.");
            }
            return now instanceof Standing.After;
        } catch (TroubleException e) {
            if (FINAL.contains(e.trouble().kind()) || e.trouble().kind() == Trouble.Kind.REMOTE) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public Duration patience(Patience usual) {
        return change.limit();
    }
}
