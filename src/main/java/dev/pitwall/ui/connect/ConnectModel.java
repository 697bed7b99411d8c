package dev.pitwall.ui.connect;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Site;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** The dialog's state: a name, five systems, which one shows, and what can be done next. Used on the window's thread. */
final class ConnectModel {

    /** What the dialog is asking besides the forms. */
    enum Question { NONE, DISCARD, REMOVE }

    private final Tools tools;
    private final Texts texts;
    private final Summaries summaries;
    private final Optional<Site> saved;
    private final Entries entries;
    private final StringProperty name = new SimpleStringProperty("");
    private final ReadOnlyIntegerWrapper revision = new ReadOnlyIntegerWrapper();
    private SystemKind chosen = SystemKind.PROXMOX;
    private Optional<Entry> current;
    private List<Site> others = List.of();
    private Optional<Trouble> failure = Optional.empty();
    private Question question = Question.NONE;
    private String place = "";
    private boolean saving;
    private boolean renamed;
    private boolean proposing;

    /** @param saved the site to change; empty for a new one */
    ConnectModel(Tools tools, Optional<Site> saved) {
        this.tools = tools;
        this.texts = tools.texts();
        this.summaries = new Summaries(texts);
        this.saved = saved;
        this.entries = new Entries(tools, saved, this::changed);
        this.current = Optional.of(entries.proxmox().getFirst());
        saved.ifPresent(s -> name.set(s.name()));
        name.addListener((_, _, _) -> {
            renamed = renamed || !proposing;
            changed();
        });
    }

    /** Asks, in the background, which names are taken and where secrets are kept. */
    void start() {
        tools.background().execute(() -> {
            String kept = tools.secrets().place();
            try {
                List<Site> all = tools.sites().all();
                tools.window().execute(() -> started(kept, all));
            } catch (TroubleException e) {
                tools.window().execute(() -> {
                    started(kept, List.of());
                    failed(e.trouble());
                });
            }
        });
    }

    private void started(String kept, List<Site> all) {
        place = kept;
        others = all.stream().filter(s -> saved.filter(mine -> mine.id().equals(s.id())).isEmpty()).toList();
        if (name.get().isEmpty() && !renamed) {
            proposing = true;
            name.set(freeName());
            proposing = false;
        }
        changed();
    }

    private String freeName() {
        String usual = texts.get("connect.name.usual");
        return Stream.iterate(1, i -> i + 1).map(i -> i == 1 ? usual : usual + " " + i)
                .filter(n -> others.stream().noneMatch(s -> s.name().equalsIgnoreCase(n))).findFirst().orElseThrow();
    }


    private void changed() {
        revision.set(revision.get() + 1);
    }

    /** Counts the changes: draw again when it moves. */
    ReadOnlyIntegerProperty revisionProperty() {
        return revision.getReadOnlyProperty();
    }

    StringProperty nameProperty() {
        return name;
    }

    Entries entries() {
        return entries;
    }

    Optional<Site> saved() {
        return saved;
    }

    /** Where secrets are kept; empty until it is known. */
    String place() {
        return place;
    }

    SystemKind chosen() {
        return chosen;
    }

    void choose(SystemKind kind) {
        chosen = kind;
        current = entries.of(kind).stream().<Entry>map(e -> e).findFirst();
        if (kind == SystemKind.CLUSTER) {
            entries.cluster().find();
        }
        changed();
    }

    /** The connection whose trust and hops show. */
    Optional<Entry> current() {
        return current;
    }

    void show(Entry entry) {
        current = Optional.of(entry);
        changed();
    }

    void remove(Entry entry) {
        entries.remove(entry);
        choose(chosen);
    }

    Optional<Trouble> failure() {
        return failure;
    }

    Question question() {
        return question;
    }

    void ask(Question asked) {
        question = asked;
        changed();
    }

    /** True if something was typed that would be lost. */
    boolean dirty() {
        return renamed || entries.edited();
    }

    /** The state of a system in the list at the left: the one that most needs the person. */
    Standing standing(SystemKind kind) {
        List<Standing> all = entries.of(kind).stream().map(Entry::standing).toList();
        return Stream.of(Standing.TESTING, Standing.ASKS, Standing.REFUSED, Standing.UNTESTED, Standing.KEPT,
                Standing.THROUGH).filter(all::contains).findFirst().orElse(Standing.EMPTY);
    }

    /** One line about a system. */
    String summary(SystemKind kind) {
        return summaries.of(kind, entries);
    }

    /** Why the name cannot be used. */
    Optional<String> nameTrouble() {
        String typed = name.get().strip();
        if (typed.isEmpty()) {
            return Optional.of(texts.get("connect.name.empty"));
        }
        return others.stream().anyMatch(s -> s.name().equals(typed))
                ? Optional.of(texts.get("connect.name.taken", typed)) : Optional.empty();
    }

    /** The system that is filled in and not settled, the chosen one last: it may be left out. */
    Optional<SystemKind> unsettled() {
        return Stream.of(SystemKind.values()).filter(this::unsettled)
                .sorted((a, b) -> Boolean.compare(a == chosen, b == chosen)).findFirst();
    }

    private boolean unsettled(SystemKind kind) {
        return entries.of(kind).stream().anyMatch(ConnectModel::unsettled);
    }

    private static boolean unsettled(Entry entry) {
        return entry.filled() && !entry.standing().settled();
    }

    private boolean anySettled() {
        return entries.all().stream().anyMatch(e -> e.standing().settled());
    }

    /** What the accent button does. */
    Action action() {
        if (saving) {
            return new Action(Action.Kind.SAVE, texts.get("connect.saving"), texts.get("connect.why.saving"));
        }
        return current.flatMap(this::actionFor).orElseGet(this::next);
    }

    private Optional<Action> actionFor(Entry entry) {
        if (entry.asks()) {
            return Optional.of(new Action(Action.Kind.TRUST, texts.get("connect.trust", entry.title()), whyNotTrust(entry)));
        }
        return switch (entry.standing()) {
            case TESTING -> Optional.of(new Action(Action.Kind.TEST, texts.get("connect.testing", entry.title()),
                    texts.get("connect.why.testing")));
            case UNTESTED -> Optional.of(testAction());
            case EMPTY, KEPT, THROUGH -> Optional.empty();
            case REFUSED -> unsettledElsewhere(entry) ? Optional.empty() : Optional.of(testAction());
            case ASKS -> throw new IllegalStateException("asked above");
        };
    }

    private String whyNotTrust(Entry entry) {
        return switch (entry.comparison()) {
            case Comparison.Equal _ -> "";
            case Comparison.Nothing _ -> texts.get("connect.why.paste");
            case Comparison.NoFingerprint _ -> texts.get("connect.why.nofingerprint");
            case Comparison.Differs _ -> texts.get("connect.why.differs");
        };
    }

    private boolean unsettledElsewhere(Entry entry) {
        return entries.all().stream().anyMatch(e -> e != entry && unsettled(e));
    }

    private List<Entry> toTest() {
        return entries.of(chosen).stream().<Entry>map(e -> e).filter(e -> e.standing() == Standing.UNTESTED
                || e.standing() == Standing.REFUSED && !e.identityChanged()).toList();
    }

    private Action testAction() {
        List<Entry> all = toTest();
        String text = all.size() == 1 ? texts.get("connect.test", titleOr(all.getFirst()))
                : texts.get("connect.test.all", all.size());
        return new Action(Action.Kind.TEST, text, all.stream().flatMap(e -> e.missing().stream()
                .map(m -> all.size() == 1 || e.title().isEmpty() ? m : e.title() + ": " + m)).findFirst().orElse(""));
    }

    private String titleOr(Entry entry) {
        return entry.title().isEmpty() ? texts.get("connect.system." + chosen.key()) : entry.title();
    }

    private Action next() {
        Optional<SystemKind> open = unsettled();
        if (open.isPresent()) {
            return new Action(Action.Kind.GO_ON, texts.get("connect.goon",
                    texts.get("connect.system." + open.get().key())), "");
        }
        return new Action(Action.Kind.SAVE, texts.get(saved.isPresent() ? "connect.save.changes" : "connect.save"),
                whyNotSave());
    }

    /** Why nothing can be saved; empty if it can. */
    private String whyNotSave() {
        if (saved.filter(Site::lab).isPresent()) {
            return texts.get("connect.why.lab");
        }
        return nameTrouble().orElseGet(() -> anySettled() ? "" : texts.get("connect.why.nothing"));
    }

    /** Why the site cannot be saved without what is not settled; empty if it can. */
    String whyNotWithout() {
        return saving ? texts.get("connect.why.saving")
                : unsettled().isEmpty() ? texts.get("connect.why.complete") : whyNotSave();
    }

    /** Does what the accent button says. */
    void act(Consumer<Site> done) {
        Action action = action();
        if (!action.possible()) {
            return;
        }
        failure = Optional.empty();
        switch (action.kind()) {
            case TRUST -> trust();
            case TEST -> toTest().forEach(Entry::test);
            case GO_ON -> unsettled().ifPresent(this::chooseUnsettled);
            case SAVE -> save(done);
        }
    }

    private void chooseUnsettled(SystemKind kind) {
        choose(kind);
        entries.of(kind).stream().filter(ConnectModel::unsettled).findFirst().ifPresent(this::show);
    }

    /** The person has decided that the current system is the right one. */
    void trust() {
        current.ifPresent(entry -> {
            entry.trust();
            // Of many machines the next that asks comes up by itself.
            entries.of(chosen).stream().filter(e -> e != entry && e.asks()).findFirst().ifPresent(this::show);
        });
    }

    /** Tests the current connection again. */
    void testAgain() {
        current.ifPresent(Entry::test);
    }

    /** Saves what is settled, in the background; a failure is shown and keeps everything. */
    void save(Consumer<Site> done) {
        SiteDraft draft = SiteDraft.of(tools.siteId(), name.get().strip(), entries,
                saved.map(Site::sources).orElse(Map.of()), saved.flatMap(Site::talos));
        saving = true;
        failure = Optional.empty();
        changed();
        tools.background().execute(() -> {
            try {
                draft.save(tools);
                tools.window().execute(() -> done.accept(draft.site()));
            } catch (TroubleException e) {
                tools.window().execute(() -> failed(e.trouble()));
            }
        });
    }

    /** Removes the saved site with its secrets, in the background. */
    void removeSite(Consumer<Site> removed) {
        Site site = saved.orElseThrow();
        saving = true;
        question = Question.NONE;
        changed();
        tools.background().execute(() -> {
            try {
                tools.sites().remove(site.id());
                tools.window().execute(() -> removed.accept(site));
            } catch (TroubleException e) {
                tools.window().execute(() -> failed(e.trouble()));
            }
        });
    }

    private void failed(Trouble trouble) {
        saving = false;
        failure = Optional.of(trouble);
        changed();
    }

    /** Ends what runs and forgets what was typed. */
    void close() {
        entries.close();
        tools.secrets().forgetTyped();
    }
}
