package dev.pitwall.ui;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.ui.search.Palette;
import dev.pitwall.ui.search.SearchEntry;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSites;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.Executor;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;

/** What can be done with a lab from its badge in the title bar: break something on purpose, and heal it. */
final class LabMenu {

    private final MenuButton badge;
    private final Desk desk;
    private final OpenSites sites;
    private final PracticeLab lab;
    private final Executor background;
    /** Traps that were switched on here, by the site's id, the first one first. */
    private final Map<String, SequencedSet<String>> broken = new HashMap<>();

    LabMenu(MenuButton badge, Desk desk, OpenSites sites, PracticeLab lab, Executor background) {
        this.badge = badge;
        this.desk = desk;
        this.sites = sites;
        this.lab = lab;
        this.background = background;
        badge.setOnShowing(_ -> fill());
        // A menu without items never opens, and then is never filled.
        fill();
    }

    private void fill() {
        List<MenuItem> items = new ArrayList<>();
        MenuItem choose = item("lab.break", () -> running().ifPresent(this::choose));
        items.add(choose);
        if (running().isEmpty()) {
            choose.setDisable(true);
            MenuItem why = item("lab.elsewhere", () -> { });
            why.setDisable(true);
            items.add(why);
        }
        SequencedSet<String> here = broken();
        if (!here.isEmpty()) {
            items.add(new SeparatorMenuItem());
            here.forEach(trap -> items.add(item("lab.heal", () -> heal(List.of(trap)), trap)));
            items.add(item("lab.heal.all", () -> heal(List.copyOf(here))));
        }
        badge.getItems().setAll(items);
    }

    private void choose(PracticeLab.Running running) {
        List<SearchEntry> traps = running.faults().stream()
                .filter(fault -> !broken().contains(fault.trap()))
                .map(fault -> new SearchEntry(SearchEntry.Kind.TRAP, fault.trap(), fault.summary(),
                        () -> chooseCard(running, fault))).toList();
        Palette.open(traps, desk.texts().get("lab.break.prompt"), desk.texts(), desk.overlay());
    }

    /** Where there is more than one card to strike, the person says which. */
    private void chooseCard(PracticeLab.Running running, PracticeLab.Fault fault) {
        if (fault.cards().size() < 2) {
            breakIt(running, fault.trap(), "");
            return;
        }
        List<SearchEntry> cards = fault.cards().stream().map(card -> new SearchEntry(SearchEntry.Kind.CARD, card,
                fault.trap(), () -> breakIt(running, fault.trap(), card))).toList();
        Palette.open(cards, desk.texts().get("lab.break.card"), desk.texts(), desk.overlay());
    }

    private void breakIt(PracticeLab.Running running, String trap, String card) {
        background.execute(() -> {
            try {
                running.breakIt(trap, card);
                desk.ui().run(() -> {
                    broken.computeIfAbsent(running.site().id(), _ -> new LinkedHashSet<>()).add(trap);
                    desk.notices().tell(card.isEmpty() ? desk.texts().get("lab.broken", trap)
                            : desk.texts().get("lab.broken.card", trap, card), desk.texts().get("lab.heal.short"),
                            () -> heal(running, List.of(trap)));
                });
            } catch (TroubleException e) {
                desk.ui().run(() -> desk.notices().trouble(e.trouble()));
            }
        });
    }

    private void heal(List<String> traps) {
        running().ifPresent(running -> heal(running, traps));
    }

    private void heal(PracticeLab.Running running, List<String> traps) {
        background.execute(() -> {
            traps.reversed().forEach(running::repair);
            desk.ui().run(() -> {
                broken.getOrDefault(running.site().id(), new LinkedHashSet<>()).removeAll(traps);
                desk.notices().tell(desk.texts().get("lab.healed", String.join(", ", traps)));
            });
        });
    }

    private Optional<PracticeLab.Running> running() {
        return sites.current().flatMap(site -> lab.running(site.site()));
    }

    private SequencedSet<String> broken() {
        return sites.current().map(s -> broken.get(s.site().id())).orElseGet(LinkedHashSet::new);
    }

    private MenuItem item(String key, Runnable action, Object... values) {
        MenuItem item = new MenuItem(desk.texts().get(key, values));
        item.setMnemonicParsing(false);
        item.setOnAction(_ -> action.run());
        return item;
    }
}
