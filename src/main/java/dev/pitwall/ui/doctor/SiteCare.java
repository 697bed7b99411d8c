package dev.pitwall.ui.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.SiteDoctor;
import dev.pitwall.doctor.Treatment;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.site.LiveSite;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.run.Ask;
import dev.pitwall.ui.run.Asks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * The Doctor of one open site as the window works with it: never two looks at once. Whatever may block runs in the
 * background; answers and properties change in the window's thread, where all methods but {@link #apply} are called.
 */
public final class SiteCare implements AutoCloseable {

    private final LiveSite live;
    private final Doctors doctors;
    private final InstantSource clock;
    private final Executor background;
    private final Asks asks;
    private final Runnable readingSoon;
    private final AtomicReference<String> reading = new AtomicReference<>("");
    private final ReadOnlyObjectWrapper<Look> look = new ReadOnlyObjectWrapper<>(Look.NONE);
    private final ReadOnlyObjectWrapper<List<Finding>> fresh = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<String>> pointed = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final Sightings sightings = new Sightings();
    private final Object calling = new Object();
    private Optional<SiteDoctor> doctor = Optional.empty();
    private Optional<Ask<Diagnosis>> going = Optional.empty();

    /**
     * @param background for calls that may block; virtual threads
     * @param window     where properties may change
     * @param paced      makes of a drawing an action that any thread may run as often as it likes
     */
    SiteCare(LiveSite live, Doctors doctors, InstantSource clock, Executor background, Executor window,
             UnaryOperator<Runnable> paced) {
        this.live = live;
        this.doctors = doctors;
        this.clock = clock;
        this.background = background;
        this.asks = new Asks(background, window);
        this.readingSoon = paced.apply(() -> {
            if (look.get().isGoing()) {
                look.set(look.get().reading(reading.get()));
            }
        });
    }

    ReadOnlyObjectProperty<Look> lookProperty() {
        return look.getReadOnlyProperty();
    }

    /** The certain findings that the last look saw for the first time. */
    ReadOnlyObjectProperty<List<Finding>> freshProperty() {
        return fresh.getReadOnlyProperty();
    }

    /** The finding that somebody elsewhere in the window means: by the name of its cause. */
    ReadOnlyObjectProperty<Optional<String>> pointedProperty() {
        return pointed.getReadOnlyProperty();
    }

    /** The page is to show this finding. */
    void point(Finding finding) {
        // The same one may be meant twice, with another one chosen in between.
        pointed.set(Optional.empty());
        pointed.set(Optional.of(finding.trap().name()));
    }

    SiteView view() {
        return live.view();
    }

    Optional<Instant> since(Finding finding) {
        return sightings.since(finding);
    }

    /** Looks at the whole site, unless somebody does already. */
    void look() {
        if (look.get().isGoing()) {
            return;
        }
        reading.set("");
        look.set(look.get().begun(clock.instant()));
        going = Optional.of(asks.ask(() -> doctor().diagnose(line -> {
            reading.set(line.system() + ": " + line.text());
            readingSoon.run();
        }), this::looked));
    }

    /** The same, with every source asked again at once. */
    void lookAgain() {
        live.readAgain();
        look();
    }

    /** Ends the look that goes on; what was seen before stays. */
    void cancel() {
        going.ifPresent(Ask::forget);
        going = Optional.empty();
        look.set(look.get().cancelled());
    }

    private void looked(Answered<Diagnosis> answer) {
        going = Optional.empty();
        switch (answer) {
            case Answered.Got<Diagnosis>(Diagnosis diagnosis) -> {
                List<Finding> news = sightings.saw(diagnosis, clock.instant());
                look.set(look.get().ended(diagnosis, clock.instant()));
                fresh.set(news);
            }
            case Answered.Troubled<Diagnosis>(Trouble trouble) -> look.set(look.get().failed(trouble));
        }
    }

    /** Asks what would cure a finding. */
    Ask<Treatment> treatment(Finding finding, Optional<String> card, Consumer<Answered<Treatment>> answer) {
        return asks.ask(() -> doctor().treatment(finding, card, Choices.NONE, Watcher.NONE), answer);
    }

    /** Judges what somebody has pasted or saved; the site has no part in it. */
    Ask<Diagnosis> judge(Evidence evidence, Consumer<Answered<Diagnosis>> answer) {
        return asks.ask(() -> doctors.judge(evidence), answer);
    }

    /** Something that takes a moment, such as a report. */
    <T> Ask<T> ask(Ask.Question<T> question, Consumer<Answered<T>> answer) {
        return asks.ask(question, answer);
    }

    /** Makes a treatment; blocks. */
    RunRecord apply(Treatment treatment, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        return doctor().apply(treatment, watcher, stop);
    }

    /** What the catalogue calls a cause; its name if there is no such cause. Called only once there was a diagnosis. */
    String title(String trap) {
        return doctors.named(trap).map(Trap::title).orElse(trap);
    }

    private SiteDoctor doctor() throws TroubleException {
        synchronized (calling) {
            if (doctor.isEmpty()) {
                doctor = Optional.of(doctors.of(live));
            }
            return doctor.get();
        }
    }

    /** Ends what goes on and lets go of the connections, in the background. */
    @Override
    public void close() {
        asks.close();
        background.execute(() -> {
            synchronized (calling) {
                doctor.ifPresent(SiteDoctor::close);
            }
        });
    }
}
