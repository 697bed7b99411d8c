package dev.pitwall.journey.run;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ImageFactory;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.Talos;
import dev.pitwall.journey.Talos.Installed;
import dev.pitwall.journey.Talos.Resource;
import dev.pitwall.journey.Talos.ResourceType;
import dev.pitwall.journey.change.TalosUpgrade;
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
    private static final Set<Trouble.Kind> FINAL =
            EnumSet.of(Trouble.Kind.TRUST, Trouble.Kind.CREDENTIALS, Trouble.Kind.RIGHTS, Trouble.Kind.REMOTE);

    private final TalosUpgrade change;
    private final Talos talos;
    private final ImageFactory factory;
    private final Emptying nodes;
    private final Patience patience;

    TalosUpgradeMaking(TalosUpgrade change, Talos talos, ImageFactory factory, Emptying nodes, Patience patience) {
        this.change = change;
        this.talos = talos;
        this.factory = factory;
        this.nodes = nodes;
        this.patience = patience;
    }

    @Override
    public Optional<String> mark() throws TroubleException, InterruptedException {
        return Optional.of("boot " + boot() + nodes.mark());
    }

    private String boot() throws TroubleException, InterruptedException {
        return talos.read(change.address(), BOOT_ID).map(String::strip).filter(id -> !id.isEmpty())
                .orElseThrow(() -> Refusal.failed(BOOT_ID + " of " + change.node(),
                        "it is empty, so a reboot could not be told", "Look at the node's console."));
    }

    private boolean rebooted(String mark) throws TroubleException, InterruptedException {
        return !Emptying.ofMachine(mark).equals("boot " + boot());
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        String version = talos.version(change.address()).tag();
        String schematic = schematic();
        if (is(change.after(), version, schematic)) {
            // Gone on with: it runs the image, and may still be on its way up.
            return mark.isEmpty() || settled(mark.get()) ? Standing.AFTER : new Standing.Half();
        }
        if (!is(change.before(), version, schematic)) {
            return new Standing.Other(change.node() + " runs Talos " + version + " of another image"
                    + (schematic.isEmpty() ? "" : " (schematic " + schematic.substring(0, 8) + "…)"));
        }
        Optional<String> surprise = mark.isEmpty() ? nodes.surprise() : Optional.empty();
        return surprise.<Standing>map(Standing.Other::new).orElse(Standing.BEFORE);
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

    /** After its reboot, ready in its own eyes and the cluster's, and open to pods again if it was before. */
    private boolean settled(String mark) throws TroubleException, InterruptedException {
        return rebooted(mark) && isUp() && nodes.back(mark) && nodes.reopened(mark);
    }

    private boolean isUp() throws TroubleException, InterruptedException {
        return talos.list(change.address(), ResourceType.MACHINE_STATUS).stream().map(Resource::spec).anyMatch(status ->
                status.path("stage").asText().equals("running") && status.at("/status/ready").asBoolean());
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        try {
            return make(mark.orElseThrow());
        } catch (TroubleException e) {
            if (!Lost.is(e.trouble())) {
                // It runs on with what it has; nobody comes back to open it.
                nodes.reopen(mark.orElseThrow());
            }
            throw e;
        }
    }

    private String make(String mark) throws TroubleException, InterruptedException {
        Instant began = patience.now();
        String note = is(change.after(), talos.version(change.address()).tag(), schematic()) ? "" : send(mark);
        Instant end = patience.in(change.limit());
        Patience.Looks looks = patience.looks();
        while (!back(mark)) {
            if (patience.past(end)) {
                throw Refusal.silent(change.node(), "it was given another image and is not back after "
                        + Spans.words(change.limit()), "Look at its console; go on with the run when it is up.");
            }
            looks.untilNext();
        }
        return note + "back after " + Spans.words(Duration.between(began, patience.now()));
    }

    /** @return what a person should know of it; empty text for nothing */
    private String send(String mark) throws TroubleException, InterruptedException {
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
        nodes.empty(mark);
        if (talos.upgrade(change.address(), reference, line -> { }) == Installed.TO_REBOOT) {
            talos.reboot(change.address());
        }
        return note;
    }

    /** While it reboots it does not answer, and where the cluster's API runs on it, that does not either. */
    private boolean back(String mark) throws TroubleException, InterruptedException {
        try {
            if (!rebooted(mark)) {
                return false;
            }
            if (is(change.before(), talos.version(change.address()).tag(), schematic())) {
                throw Refusal.failed(change.node(), "it has rebooted into the image of before",
                        "Its console and \"talosctl dmesg\" tell why the new one did not start.");
            }
            if (isUp()) {
                nodes.reopen(mark);
            }
            return standing(Optional.of(mark)) instanceof Standing.After;
        } catch (TroubleException e) {
            if (FINAL.contains(e.trouble().kind())) {
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
