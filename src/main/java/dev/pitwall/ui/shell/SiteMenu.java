package dev.pitwall.ui.shell;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.notice.Notices;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;

/** The site switcher: the open sites, the saved ones, and what can be done with the one that shows. */
public final class SiteMenu {

    private final MenuButton button;
    private final Texts texts;
    private final OpenSites open;
    private final Sites saved;
    private final Executor background;
    private final UiThread ui;
    private final Notices notices;
    private final Actions actions;
    private List<Site> known = List.of();

    /** What lies outside the switcher. */
    public interface Actions {
        void addSite();

        void editSite(Site site);

        void openFile();

        /** Ends the site's connections, once the person is sure. */
        void disconnect(OpenSite site);

        /** Scenes that can be started. */
        List<String> scenes();

        void startScene(String scene);
    }

    public SiteMenu(MenuButton button, Desk desk, OpenSites open, Sites saved, Executor background, Actions actions) {
        this.button = button;
        this.texts = desk.texts();
        this.open = open;
        this.saved = saved;
        this.background = background;
        this.ui = desk.ui();
        this.notices = desk.notices();
        this.actions = actions;
        button.setOnShowing(_ -> fill());
        refresh();
    }

    /** Reads the saved sites again, in the background. */
    public void refresh() {
        background.execute(() -> {
            try {
                List<Site> all = saved.all();
                ui.run(() -> {
                    known = all;
                    fill();
                });
            } catch (TroubleException e) {
                ui.run(() -> notices.trouble(e.trouble()));
            }
        });
    }

    private void fill() {
        List<MenuItem> items = new ArrayList<>();
        open.all().forEach(site -> items.add(check(site)));
        known.stream().filter(s -> open.all().stream().noneMatch(o -> o.site().id().equals(s.id())))
                .forEach(site -> items.add(item(site.name(), () -> open.open(site))));
        items.add(new SeparatorMenuItem());
        items.add(item(texts.get("site.add"), actions::addSite));
        items.add(item(texts.get("site.file"), actions::openFile));
        actions.scenes().forEach(scene ->
                items.add(item(texts.get("site.lab", scene), () -> actions.startScene(scene))));
        open.current().ifPresent(current -> {
            items.add(new SeparatorMenuItem());
            items.add(item(texts.get("site.edit", current.site().name()), () -> actions.editSite(current.site())));
            items.add(item(texts.get("site.close", current.site().name()), () -> actions.disconnect(current)));
        });
        button.getItems().setAll(items);
    }

    private CheckMenuItem check(OpenSite site) {
        CheckMenuItem item = new CheckMenuItem(site.site().name());
        item.setSelected(open.current().filter(c -> c == site).isPresent());
        item.setMnemonicParsing(false);
        item.setOnAction(_ -> open.open(site.site()));
        return item;
    }

    private static MenuItem item(String text, Runnable action) {
        MenuItem item = new MenuItem(text);
        item.setMnemonicParsing(false);
        item.setOnAction(_ -> action.run());
        return item;
    }
}
