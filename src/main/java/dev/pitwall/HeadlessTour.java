package dev.pitwall;

import dev.pitwall.card.Card;
import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.Tour;
import dev.pitwall.site.Connection;
import dev.pitwall.site.PracticeLab;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.Snapshot;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.theme.Theme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The tour: a lab, its towers, a fault that is switched on and healed, and a picture of every page on the way. */
final class HeadlessTour implements Tour {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    private static final String FAULT = "device-plugin-missing-toleration";
    /** Hosts in which nothing is set up for their cards yet. */
    private static final String FRESH_SCENE = "workshop";
    /** Lab seconds a real one: nobody waits for its reboots. */
    private static final double REBOOTS_FAST = 20;
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final int WIDTH = 1440;
    private static final int HEIGHT = 900;
    private static final int SMALL_WIDTH = 1000;
    private static final int SMALL_HEIGHT = 700;

    private final Wiring wiring;

    HeadlessTour(Wiring wiring) {
        this.wiring = wiring;
    }

    @Override
    public List<Station> walk(String scene, Path out, Consumer<String> say) throws TroubleException, InterruptedException {
        // Must be set before the toolkit is loaded; a tour never opens a window, whatever is there.
        System.setProperty("glass.platform", "Headless");
        System.setProperty("prism.order", "sw");
        makeFolder(out);
        say.accept("Starting the practice lab, scene " + scene + " …");
        try (PracticeLab.Running lab = wiring.labs().start(scene);
                Snapshot pictures = new Snapshot(new WindowParts(wiring).dependencies(Optional.empty(),
                        SecondFactor.NONE))) {
            return new Walk(lab, wiring, pictures, out, say).all();
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, out.toString(), "a picture could not be written",
                    "Start \"pitwall tour --out DIR\" with a folder your user may write to."), e);
        }
    }

    private static void makeFolder(Path out) throws TroubleException {
        try {
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, out.toString(), "the folder cannot be made",
                    "Start \"pitwall tour --out DIR\" with a folder your user may write to."), e);
        }
    }

    private static final class Walk {
        private final PracticeLab.Running lab;
        private final Wiring wiring;
        private final Snapshot pictures;
        private final Path out;
        private final Consumer<String> say;
        private final List<Station> stations = new ArrayList<>();

        Walk(PracticeLab.Running lab, Wiring wiring, Snapshot pictures, Path out, Consumer<String> say) {
            this.lab = lab;
            this.wiring = wiring;
            this.pictures = pictures;
            this.out = out;
            this.say = say;
        }

        List<Station> all() throws IOException, TroubleException, InterruptedException {
            firstRun();
            connect();
            garage();
            board();
            fault();
            pages();
            setup();
            return List.copyOf(stations);
        }

        private void firstRun() throws IOException {
            Path png = out.resolve("first-run.png");
            pictures.firstRun(Theme.DARK, WIDTH, HEIGHT, png);
            reached("first-run", "The first start asks one thing: the lab, or your own hosts.", png, true);
        }

        /** First contact with the lab's first host, up to a site that could be saved. */
        private void connect() throws IOException, TroubleException, InterruptedException {
            if (lab.site().proxmox().isEmpty()) {
                return;
            }
            boolean equal = compared(Theme.LIGHT);
            pictures.dialog(Theme.LIGHT, WIDTH, HEIGHT, out.resolve("connect-light.png"));
            pictures.closeDialog();
            equal &= compared(Theme.DARK);
            Path dark = out.resolve("connect.png");
            pictures.dialog(Theme.DARK, WIDTH, HEIGHT, dark);
            pictures.dialog(Theme.DARK, SMALL_WIDTH, SMALL_HEIGHT, out.resolve("connect-small.png"));
            pictures.press("act");
            boolean through = awaitTrue(() -> pictures.offers("act", "Save site"));
            pictures.dialog(Theme.DARK, WIDTH, HEIGHT, out.resolve("connect-through.png"));
            pictures.press("system-ssh");
            pictures.press("takeOffer");
            pictures.dialog(Theme.DARK, SMALL_WIDTH, SMALL_HEIGHT, out.resolve("connect-ssh.png"));
            pictures.press("system-cluster");
            pictures.dialog(Theme.DARK, WIDTH, HEIGHT, out.resolve("connect-cluster.png"));
            pictures.closeDialog();
            reached("connect", "First contact: " + (equal ? "the host's fingerprint is compared byte by byte"
                    : "the fingerprints could not be compared") + (through ? ", trusted, and the way to its API is open."
                    : "; the host was not reached."), dark, equal && through);
        }

        /** Opens the dialog, types the first host into it and pastes its fingerprint; true if both are found equal. */
        private boolean compared(Theme theme) throws TroubleException, InterruptedException {
            ProxmoxAccess host = lab.site().proxmox().getFirst();
            pictures.addSite(theme);
            pictures.type("address", host.url().toString());
            SecretRef kept = switch (host.login()) {
                case ProxmoxAccess.Token(String id, SecretRef secret) -> {
                    pictures.type("who", id);
                    yield secret;
                }
                case ProxmoxAccess.Password(String user, SecretRef secret) -> {
                    pictures.press("method");
                    pictures.type("who", user);
                    yield secret;
                }
            };
            pictures.type("connect-secret", wiring.secrets().get(kept).orElse(""));
            pictures.press("act");
            // The paste field is there only once the host has shown its certificate.
            return awaitTrue(() -> {
                pictures.type("paste", host.fingerprint().orElse(""));
                return pictures.offers("act", "Trust " + host.name() + " and go on");
            });
        }

        private void garage() throws IOException, InterruptedException {
            pictures.open(lab.site());
            boolean up = await(view -> everySourceAnswered(view) && !view.cards().isEmpty()
                    && view.cards().stream().allMatch(c -> c.lowestNotOk().isEmpty()));
            Path dark = out.resolve("garage.png");
            pictures.page(Page.GARAGE, Theme.DARK, WIDTH, HEIGHT, dark);
            pictures.page(Page.GARAGE, Theme.LIGHT, WIDTH, HEIGHT, out.resolve("garage-light.png"));
            pictures.page(Page.GARAGE, Theme.DARK, SMALL_WIDTH, SMALL_HEIGHT, out.resolve("garage-small.png"));
            reached("garage", up ? "Every card is up: ten floors each, read live over the lab's sockets."
                    : "Not every card came up in " + PATIENCE.toSeconds() + " s.", dark, up);
        }

        /** The models on their cards, as the engine keeps them. */
        private void board() throws IOException, InterruptedException {
            pictures.go(Page.BOARD);
            boolean live = lab.site().servers().isEmpty() || awaitTrue(() -> pictures.engine(view -> !view.providers().isEmpty()
                    && view.providers().stream().anyMatch(p -> p.room().isPresent())));
            Path dark = taken(Page.BOARD, "board");
            pictures.page(Page.BOARD, Theme.DARK, SMALL_WIDTH, SMALL_HEIGHT, out.resolve("board-small.png"));
            reached("board", live ? "The Board: each card with its models and its memory, live."
                    : "No model server told what it has.", dark, live);
        }

        private void fault() throws IOException, TroubleException, InterruptedException {
            if (lab.faults().stream().noneMatch(f -> f.trap().equals(FAULT))) {
                return;
            }
            lab.breakIt(FAULT, "");
            boolean seen = await(view -> view.cards().stream().anyMatch(HeadlessTour::pluginFails));
            Path png = out.resolve("garage-fault.png");
            pictures.page(Page.GARAGE, Theme.DARK, WIDTH, HEIGHT, png);
            diagnosis();
            lab.repair(FAULT);
            boolean healed = await(view -> view.cards().stream().noneMatch(HeadlessTour::pluginFails)) && lookedUntil(Named.NOT);
            reached("fault", "A taint keeps the device plugin off a node" + (seen ? ", and its floor says so"
                    : ", but no floor said so") + (healed ? "; taken back, the card is up again." : "; it did not heal."),
                    png, seen && healed);
        }

        /** The Doctor names the cause, with its lines and what would cure it. */
        private void diagnosis() throws IOException, InterruptedException {
            pictures.go(Page.DOCTOR);
            boolean named = lookedUntil(Named.IS);
            Path picture = taken(Page.DOCTOR, "doctor-finding");
            pictures.page(Page.DOCTOR, Theme.DARK, SMALL_WIDTH, SMALL_HEIGHT, out.resolve("doctor-finding-small.png"));
            pictures.page(Page.DOCTOR, Theme.LIGHT, SMALL_WIDTH, SMALL_HEIGHT, out.resolve("doctor-finding-small-light.png"));
            reached("doctor-finding", named ? "The Doctor names the cause, with the lines that decide and the fix as a plan."
                    : "The Doctor did not name the cause.", picture, named);
        }

        private enum Named { IS, NOT }

        /** Has the Doctor look again until he names the fault, or names it no more. */
        private boolean lookedUntil(Named wanted) throws InterruptedException {
            return awaitTrue(LONG, () -> {
                if (!pictures.settled()) {
                    return false;
                }
                boolean named = pictures.says("trap", FAULT);
                if (named == (wanted == Named.IS)) {
                    return true;
                }
                pictures.press("again");
                return false;
            });
        }

        private void pages() throws IOException, InterruptedException {
            for (Page page : Page.values()) {
                if (page != Page.GARAGE && page != Page.JOURNAL && page != Page.BOARD) {
                    String name = page.name().toLowerCase(Locale.ROOT);
                    boolean settled = settled(page);
                    reached(name, "The page " + name + ", as it is with nothing done yet.", taken(page, name), settled);
                }
            }
        }

        /** A host in which nothing is set up: what Setup would do, the first steps made together, and their record. */
        private void setup() throws IOException, TroubleException, InterruptedException {
            if (wiring.labs().scenes().stream().noneMatch(s -> s.name().equals(FRESH_SCENE) && s.available())) {
                return;
            }
            // The lab of this very scene, where the tour is of it; labs are closed with the wiring.
            pictures.open(wiring.labs().start(FRESH_SCENE, REBOOTS_FAST).site());
            boolean there = await(view -> everySourceAnswered(view) && !view.cards().isEmpty()) && settled(Page.SETUP);
            reached("setup-fresh", "A fresh host: each step with what was found and what it would change.",
                    taken(Page.SETUP, "setup-fresh"), there);
            pictures.page(Page.SETUP, Theme.DARK, SMALL_WIDTH, SMALL_HEIGHT, out.resolve("setup-fresh-small.png"));
            together();
        }

        private void together() throws IOException, InterruptedException {
            pictures.press("together");
            Path asked = out.resolve("setup-together.png");
            pictures.dialog(Theme.DARK, WIDTH, HEIGHT, asked);
            pictures.press("make");
            boolean made = awaitTrue(LONG, () -> pictures.settled() && pictures.starts("undo", "Undo run "));
            reached("setup-done", "Several steps in one run, with one reboot" + (made ? "; each was proved by looking again."
                    : "; it did not come to its end."), taken(Page.SETUP, "setup-done"), made);
            boolean kept = settled(Page.JOURNAL);
            reached("journal", "Every run stays in the Journal with what undo would do now.",
                    taken(Page.JOURNAL, "journal"), made && kept);
            pictures.page(Page.JOURNAL, Theme.DARK, SMALL_WIDTH, SMALL_HEIGHT, out.resolve("journal-small.png"));
        }

        private boolean settled(Page page) throws InterruptedException {
            pictures.go(page);
            return awaitTrue(pictures::settled);
        }

        /** In both themes; the dark one is the station's. */
        private Path taken(Page page, String name) throws IOException {
            Path png = out.resolve(name + ".png");
            pictures.page(page, Theme.DARK, WIDTH, HEIGHT, png);
            pictures.page(page, Theme.LIGHT, WIDTH, HEIGHT, out.resolve(name + "-light.png"));
            return png;
        }

        private boolean await(Predicate<SiteView> wish) throws InterruptedException {
            return awaitTrue(() -> pictures.shows(wish));
        }

        private static boolean awaitTrue(BooleanSupplier wish) throws InterruptedException {
            return awaitTrue(PATIENCE, wish);
        }

        private static boolean awaitTrue(Duration patience, BooleanSupplier wish) throws InterruptedException {
            long end = System.nanoTime() + patience.toNanos();
            while (System.nanoTime() < end) {
                if (wish.getAsBoolean()) {
                    return true;
                }
                TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
            }
            return false;
        }

        private void reached(String name, String what, Path picture, boolean reached) {
            stations.add(new Station(name, what, picture, reached));
            say.accept(name + ": " + what);
        }
    }

    private static boolean everySourceAnswered(SiteView view) {
        return view.connections().stream().allMatch(c -> c.state() == Connection.State.LIVE);
    }

    private static boolean pluginFails(Card card) {
        return card.floor(Floor.PLUGIN).state() == FloorState.FAILING
                && card.floor(Floor.PLUGIN).trap().filter(FAULT::equals).isPresent();
    }
}
