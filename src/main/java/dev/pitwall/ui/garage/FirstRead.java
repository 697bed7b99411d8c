package dev.pitwall.ui.garage;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.site.Connection;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Towers that keep their place while a source is read for the first time. After two seconds they name the source. */
final class FirstRead {

    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final String ID = "reading/";

    private final Texts texts;

    FirstRead(Texts texts) {
        this.texts = texts;
    }

    /** One tower a source that may have cards and has not answered; none once there are cards. */
    List<TowerLine> of(SiteView view, Duration sinceOpened) {
        if (!view.cards().isEmpty()) {
            return List.of();
        }
        return sources(view).map(name -> tower(name, sinceOpened)).toList();
    }

    private static Stream<String> sources(SiteView view) {
        if (view.connections().isEmpty()) {
            // Nothing has been asked yet; the site says who will be.
            return view.site().proxmox().stream().map(ProxmoxAccess::name);
        }
        List<Connection> reading = view.connections().stream()
                .filter(c -> c.state() == Connection.State.READING).toList();
        boolean hosts = reading.stream().anyMatch(c -> c.kind() == Connection.Kind.PROXMOX);
        Connection.Kind kind = hosts ? Connection.Kind.PROXMOX : Connection.Kind.CLUSTER;
        return reading.stream().filter(c -> c.kind() == kind).map(Connection::name);
    }

    private TowerLine tower(String source, Duration sinceOpened) {
        String word = sinceOpened.compareTo(QUIET) < 0 ? texts.get("reading") : texts.get("reading.source", source);
        List<FloorStatus> floors = Arrays.stream(Floor.values()).map(f -> new FloorStatus(f, FloorState.WAITING, word,
                Optional.empty(), List.of(), Optional.empty())).toList();
        List<FloorLine> lines = floors.stream().map(f -> new FloorLine(f.floor(), FloorState.WAITING,
                FloorLine.Weight.CONSEQUENCE, Mark.CLOCK, texts.get("floor." + f.floor().wireName()), f.summary(), "",
                FloorLine.NoteKind.WORD, Optional.empty(), OptionalDouble.empty())).toList();
        Card card = new Card(ID + source, source, Optional.empty(), source, Optional.empty(), OptionalLong.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), floors);
        return new TowerLine(card, FloorState.NOT_APPLICABLE, Mark.RING, OptionalDouble.empty(), texts.get("reading"),
                "", "", lines);
    }
}
