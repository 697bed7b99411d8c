package dev.pitwall.ui.shell;

import dev.pitwall.site.SiteView;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;

/** The state of the frame: which page shows, what the status line says, how the connections do. */
public final class ShellModel {

    /** What the window is about. */
    public enum Phase {
        /** Nobody knows yet whether there is a site. */
        STARTING,
        /** There is none: the person decides between the lab and own hosts. */
        FIRST_RUN,
        SITE
    }

    private final Texts texts;
    private final ReadOnlyObjectWrapper<Page> page = new ReadOnlyObjectWrapper<>(Page.GARAGE);
    private final ReadOnlyObjectWrapper<Optional<Subject>> subject = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ObjectProperty<Phase> phase = new SimpleObjectProperty<>(Phase.STARTING);
    private final ObjectProperty<StatusText> status = new SimpleObjectProperty<>(StatusText.NOTHING);
    private final ReadOnlyObjectWrapper<List<List<Dot>>> dots = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Map<Page, Integer>> badges = new ReadOnlyObjectWrapper<>(Map.of());

    public ShellModel(Texts texts) {
        this.texts = texts;
    }

    public ReadOnlyObjectProperty<Page> pageProperty() {
        return page.getReadOnlyProperty();
    }

    public ReadOnlyObjectProperty<Optional<Subject>> subjectProperty() {
        return subject.getReadOnlyProperty();
    }

    public ObjectProperty<Phase> phaseProperty() {
        return phase;
    }

    public ObjectProperty<StatusText> statusProperty() {
        return status;
    }

    /** The connections in the ways in which they may be shown, the fullest first, the last a single dot. */
    public ReadOnlyObjectProperty<List<List<Dot>>> dotsProperty() {
        return dots.getReadOnlyProperty();
    }

    /** Numbers on the rail; a page without one has nothing open. */
    public ReadOnlyObjectProperty<Map<Page, Integer>> badgesProperty() {
        return badges.getReadOnlyProperty();
    }

    /** True if the rail leads there now: before there is a site, only the settings are of use. */
    public boolean reachable(Page wanted) {
        return phase.get() == Phase.SITE || wanted == Page.SETTINGS;
    }

    public void go(Page wanted) {
        go(wanted, Optional.empty());
    }

    /** Goes to a page that shows one floor of one card. */
    public void go(Page wanted, Subject about) {
        go(wanted, Optional.of(about));
    }

    private void go(Page wanted, Optional<Subject> about) {
        if (reachable(wanted)) {
            subject.set(about);
            page.set(wanted);
            status.set(StatusText.NOTHING);
        }
    }

    /** Back from the settings to the first decision. */
    public void leaveSettings() {
        subject.set(Optional.empty());
        page.set(Page.GARAGE);
    }

    /** Takes over how the site's connections and cards do. */
    public void show(SiteView view, Instant now) {
        dots.set(Dots.arrangements(view.connections(), now, texts));
    }

    /** Takes over how many certain findings are open at the site that shows; 0 before anybody has looked. */
    public void findings(int open) {
        badges.set(open == 0 ? Map.of() : Map.of(Page.DOCTOR, open));
    }

    /** No site shows any more. */
    public void clear() {
        dots.set(List.of());
        badges.set(Map.of());
    }
}
