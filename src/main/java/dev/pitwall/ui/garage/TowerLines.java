package dev.pitwall.ui.garage;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.Reading;
import dev.pitwall.card.Source;
import dev.pitwall.site.Connection;
import dev.pitwall.ui.garage.FloorLine.NoteKind;
import dev.pitwall.ui.garage.FloorLine.Weight;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Puts a card into the words and shapes of its tower. Pure: the same card at the same time gives the same lines. */
final class TowerLines {

    private static final String DOT = " · ";
    private static final String OWNED_BY_OTHER = "gpu-owned-by-other-vm";
    private static final Duration FRESH_PROOF = Duration.ofMinutes(1);

    private final Texts texts;
    private final HeadWords heads;

    TowerLines(Texts texts) {
        this.texts = texts;
        this.heads = new HeadWords(texts);
    }

    /**
     * @param openedAt when the site was opened: what was read before is from an earlier run
     * @param readAt when the card was put together; a wait goes on counting from there
     * @param now    what ages are counted to
     */
    TowerLine of(Card card, List<Connection> connections, Instant openedAt, Instant readAt, Instant now) {
        Optional<FloorStatus> cause = card.lowestNotOk();
        List<FloorLine> floors = new ArrayList<>();
        for (FloorStatus floor : card.floors()) {
            floors.add(line(card, floor, weight(floor, cause), connections, openedAt, readAt, now));
        }
        FloorState state = cause.map(FloorStatus::state).orElse(FloorState.OK);
        Mark mark = cause.map(f -> floors.get(f.floor().ordinal()).mark()).orElse(Mark.OK);
        OptionalDouble progress =
                cause.map(f -> floors.get(f.floor().ordinal()).progress()).orElse(OptionalDouble.empty());
        return new TowerLine(card, state, mark, progress, heads.of(card, now), size(card.vramMiB()), place(card), floors);
    }

    private static Weight weight(FloorStatus floor, Optional<FloorStatus> cause) {
        if (floor.state() == FloorState.OK || floor.state() == FloorState.NOT_APPLICABLE || cause.isEmpty()) {
            return Weight.PLAIN;
        }
        return floor.floor() == cause.get().floor() ? Weight.CAUSE : Weight.CONSEQUENCE;
    }

    private FloorLine line(Card card, FloorStatus floor, Weight weight, List<Connection> connections, Instant openedAt,
                           Instant readAt, Instant now) {
        Optional<FloorStatus.Progress> progress = floor.progress().map(p -> running(p, readAt, now));
        Optional<Connection> outage = weight == Weight.CAUSE && floor.state() == FloorState.UNKNOWN
                ? Outage.of(card, floor, connections)
                : Optional.empty();
        Note note = note(floor, weight, progress, outage, connections, now);
        return new FloorLine(floor.floor(), floor.state(), weight, mark(floor, weight),
                texts.get("floor." + floor.floor().wireName()), floor.summary(), note.text(), note.kind(),
                action(floor, weight, outage, connections, openedAt), fraction(progress));
    }

    private static FloorStatus.Progress running(FloorStatus.Progress p, Instant readAt, Instant now) {
        Duration since = now.isAfter(readAt) ? Duration.between(readAt, now) : Duration.ZERO;
        return new FloorStatus.Progress(p.elapsed().plus(since), p.usual());
    }

    private static OptionalDouble fraction(Optional<FloorStatus.Progress> progress) {
        return progress.filter(p -> p.usual().toMillis() > 0).map(p -> OptionalDouble.of(
                Math.min(1, p.elapsed().toMillis() / (double) p.usual().toMillis()))).orElse(OptionalDouble.empty());
    }

    private static Mark mark(FloorStatus floor, Weight weight) {
        return switch (floor.state()) {
            case OK -> Mark.OK;
            case WAITING -> weight == Weight.CAUSE && floor.progress().isPresent() ? Mark.RING : Mark.CLOCK;
            case FAILING -> Mark.FAILING;
            case BLOCKED -> Mark.LOCK;
            case UNKNOWN -> Mark.QUESTION;
            case NOT_APPLICABLE -> Mark.MINUS;
        };
    }

    private static Optional<FloorAction> action(FloorStatus floor, Weight weight, Optional<Connection> outage,
                                               List<Connection> connections, Instant openedAt) {
        if (weight != Weight.CAUSE) {
            return Optional.empty();
        }
        return switch (floor.state()) {
            case FAILING -> Optional.of(FloorAction.DOCTOR);
            case BLOCKED -> Optional.of(
                    floor.trap().filter(OWNED_BY_OTHER::equals).isPresent() ? FloorAction.TAKE_BACK : FloorAction.SETUP);
            case UNKNOWN -> unknown(floor, outage, connections, openedAt);
            case WAITING, OK, NOT_APPLICABLE -> Optional.empty();
        };
    }

    /**
     * While something is read for the first time, that may tell; nobody is asked to do anything. The same while all that
     * is known comes from an earlier run: its source is known, and its first answer is awaited.
     */
    private static Optional<FloorAction> unknown(FloorStatus floor, Optional<Connection> outage,
                                                 List<Connection> connections, Instant openedAt) {
        boolean kept = !floor.readings().isEmpty()
                && floor.readings().stream().allMatch(r -> r.at().isBefore(openedAt));
        boolean reading = connections.stream().anyMatch(c -> c.state() == Connection.State.READING);
        return outage.isPresent() ? Optional.of(FloorAction.RETRY)
                : reading || kept ? Optional.empty() : Optional.of(FloorAction.CONNECT);
    }

    private record Note(String text, NoteKind kind) {
        static final Note NONE = new Note("", NoteKind.WORD);
    }

    private Note note(FloorStatus floor, Weight weight, Optional<FloorStatus.Progress> progress,
                      Optional<Connection> outage, List<Connection> connections, Instant now) {
        if (weight == Weight.CAUSE && progress.isPresent()) {
            FloorStatus.Progress p = progress.get();
            boolean normal = p.elapsed().compareTo(p.usual()) <= 0;
            return new Note(texts.get(normal ? "garage.wait.normal" : "garage.wait.long"), NoteKind.WORD);
        }
        if (outage.flatMap(Connection::nextTry).isPresent()) {
            Instant next = outage.flatMap(Connection::nextTry).orElseThrow();
            return new Note(Ages.brief(Duration.between(now, next)), NoteKind.FIGURE);
        }
        return floor.state() == FloorState.OK ? age(floor, connections, now) : Note.NONE;
    }

    /**
     * A proof is as good as it is young, so its age always shows, once it has one to speak of; other readings say their
     * age when they are old.
     */
    private static Note age(FloorStatus floor, List<Connection> connections, Instant now) {
        Optional<Reading> newest = floor.readings().stream().max(Comparator.comparing(Reading::at));
        if (newest.isEmpty()) {
            return Note.NONE;
        }
        Duration age = Duration.between(newest.get().at(), now);
        if (floor.floor() == Floor.PROOF) {
            return age.compareTo(FRESH_PROOF) < 0 ? Note.NONE : new Note(Ages.brief(age), NoteKind.FIGURE);
        }
        boolean stale = connections.stream()
                .filter(c -> c.name().equals(newest.get().source().system()) && asks(c.kind(), newest.get().source().kind()))
                .anyMatch(c -> age.compareTo(c.usualInterval().multipliedBy(2)) > 0);
        return stale ? new Note(Ages.brief(age), NoteKind.STALE) : Note.NONE;
    }

    /** A host has two connections of one name, each with a pace of its own. */
    private static boolean asks(Connection.Kind connection, Source.Kind source) {
        return switch (source) {
            case PROXMOX -> connection == Connection.Kind.PROXMOX;
            case SSH -> connection == Connection.Kind.SHELL;
            case CLUSTER -> connection == Connection.Kind.CLUSTER;
            case PROMETHEUS -> connection == Connection.Kind.PROMETHEUS;
            case MODELS -> connection == Connection.Kind.MODELS;
            case TALOS, JOURNAL, FILE -> false;
        };
    }

    /** NVIDIA reserves some of the memory; the nearest whole GiB is what the card is sold with. */
    private String size(OptionalLong mib) {
        return mib.isPresent() ? texts.get("garage.size", Math.round(mib.getAsLong() / 1024.0)) : "";
    }

    private static String place(Card card) {
        StringBuilder place = new StringBuilder(card.host());
        card.address().ifPresent(a -> place.append(DOT).append(a.slot()));
        card.node().filter(n -> !n.equals(card.host())).ifPresent(n -> place.append(DOT).append(n));
        return place.toString();
    }
}
