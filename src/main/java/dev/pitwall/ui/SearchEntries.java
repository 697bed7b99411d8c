package dev.pitwall.ui;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.ui.board.BoardController;
import dev.pitwall.ui.doctor.Rounds;
import dev.pitwall.ui.search.SearchEntry;
import dev.pitwall.ui.search.SearchEntry.Kind;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.ShellModel;
import dev.pitwall.ui.shell.SiteMenu;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.theme.ThemeChoice;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Everything the search finds now: the cards of the site with what hangs on them, what is wrong, and the actions. */
final class SearchEntries {

    /** Reading names under which a model server lists what it has loaded. */
    private static final String MODEL = "model";

    private final Texts texts;
    private final ShellModel shell;
    private final OpenSites sites;
    private final Rounds rounds;
    private final SiteMenu.Actions siteActions;
    private final Consumer<ThemeChoice> theme;
    private final Runnable readAgain;
    private final Consumer<Consumer<BoardController>> onBoard;

    SearchEntries(Texts texts, ShellModel shell, OpenSites sites, Rounds rounds, SiteMenu.Actions siteActions,
                  Consumer<ThemeChoice> theme, Runnable readAgain, Consumer<Consumer<BoardController>> onBoard) {
        this.texts = texts;
        this.shell = shell;
        this.sites = sites;
        this.rounds = rounds;
        this.siteActions = siteActions;
        this.theme = theme;
        this.readAgain = readAgain;
        this.onBoard = onBoard;
    }

    List<SearchEntry> now() {
        List<SearchEntry> entries = new ArrayList<>();
        sites.current().ifPresent(site -> {
            cards(site, entries);
            site.wallProperty().get().ifPresent(wall -> models(wall, entries));
        });
        rounds.findings().forEach(f -> entries.add(
                new SearchEntry(Kind.FINDING, f.trap().title(), rounds.place(f), () -> rounds.open(f))));
        actions(entries);
        return entries;
    }

    private void cards(OpenSite site, List<SearchEntry> entries) {
        for (Card card : site.view().cards()) {
            Floor floor = card.lowestNotOk().map(FloorStatus::floor).orElse(Floor.FIRMWARE);
            String slot = card.address().map(a -> " · " + a.slot()).orElse("");
            entries.add(at(Kind.CARD, card.name(), card.host() + slot, card, floor));
            card.node().ifPresent(node -> entries.add(at(Kind.NODE, node, card.name(), card, Floor.DRIVER)));
            card.vm().ifPresent(vm -> entries.add(
                    at(Kind.VM, texts.get("search.vm", vm.vmid(), vm.name()), card.host(), card, Floor.VM)));
            if (site.wallProperty().get().isPresent()) {
                continue;
            }
            card.server().ifPresent(server ->
                    entries.add(at(Kind.MODEL, server, card.name() + " · " + card.host(), card, Floor.SERVER)));
            card.floor(Floor.SERVER).readings().stream()
                    .filter(r -> r.name().toLowerCase(Locale.ROOT).startsWith(MODEL))
                    .flatMap(r -> r.value().stream())
                    .forEach(model -> entries.add(
                            at(Kind.MODEL, model, card.server().orElse(card.host()), card, Floor.SERVER)));
        }
    }

    /** What the Board shows: servers, the models on their cards, and those that could be. */
    private void models(WallView wall, List<SearchEntry> entries) {
        for (ProviderView provider : wall.providers()) {
            String place = provider.node().orElse(provider.place());
            entries.add(new SearchEntry(Kind.MODEL, provider.id().text(), place,
                    () -> onBoard.accept(b -> b.find(provider.id(), Optional.empty()))));
            provider.placements().forEach(p -> entries.add(new SearchEntry(Kind.MODEL, p.model().text(),
                    texts.get("search.on-card", provider.id()), () -> onBoard.accept(b -> b.find(provider.id(), Optional.of(p.model()))))));
        }
        wall.shelf().forEach(m -> entries.add(new SearchEntry(Kind.MODEL, m.name().text(), texts.get("search.on-shelf"),
                () -> onBoard.accept(b -> b.find(m.name())))));
    }

    private SearchEntry at(Kind kind, String title, String detail, Card card, Floor floor) {
        return new SearchEntry(kind, title, detail, () -> shell.go(Page.GARAGE, new Subject(card.id(), floor)));
    }

    private void actions(List<SearchEntry> entries) {
        for (Page page : Page.values()) {
            String key = page.digit() == 0 ? "" : texts.get("search.digit", page.digit());
            entries.add(action(texts.get("search.go", texts.get(page.key())), key, () -> shell.go(page)));
        }
        entries.add(action(texts.get("search.read-again"), "F5", readAgain));
        for (ThemeChoice choice : ThemeChoice.values()) {
            entries.add(action(texts.get("search.theme",
                    texts.get("settings.theme." + choice.name().toLowerCase(Locale.ROOT))), "",
                    () -> theme.accept(choice)));
        }
        sites.all().stream().filter(o -> sites.current().filter(c -> c == o).isEmpty())
                .forEach(o -> entries.add(action(texts.get("search.site", o.site().name()), "",
                        () -> sites.open(o.site()))));
        entries.add(action(texts.get("site.add"), "", siteActions::addSite));
        entries.add(action(texts.get("site.file"), "", siteActions::openFile));
        siteActions.scenes().forEach(scene ->
                entries.add(action(texts.get("site.lab", scene), "", () -> siteActions.startScene(scene))));
        sites.current().ifPresent(site -> entries.add(
                action(texts.get("site.close", site.site().name()), "", () -> siteActions.disconnect(site))));
    }

    private static SearchEntry action(String title, String detail, Runnable run) {
        return new SearchEntry(Kind.ACTION, title, detail, run);
    }
}
