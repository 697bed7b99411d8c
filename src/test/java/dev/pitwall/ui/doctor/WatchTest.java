package dev.pitwall.ui.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.catalogue.TrapFloor;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.SampleSite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the Doctor looks unasked, and what of it is news. */
class WatchTest {

    private static final Optional<Duration> MINUTE = Optional.of(Duration.ofMinutes(1));
    private final SiteView up = SampleSite.view(List.of(SampleSite.up()));
    private final SiteView failing = SampleSite.view(List.of(SampleSite.pluginFailing()));
    private final Watch watch = new Watch(SampleSite.NOW);
    private final Sightings sightings = new Sightings();

    @Test
    void itLooksOnceTheTowersHaveSettledAndThenEveryMinute() {
        assertThat(due(up, 0)).isFalse();
        assertThat(due(up, 3)).isFalse();
        assertThat(due(up, 4)).isTrue();
        assertThat(due(up, 5)).isFalse();
        assertThat(due(up, 63)).isFalse();
        assertThat(due(up, 64)).isTrue();
    }

    @Test
    void whereALookTakesLongTheNextOneWaitsLongerUnlessATowerChanges() {
        due(up, 0);
        due(up, 4);
        Look long64 = Look.NONE.begun(at(10)).ended(SampleFindings.NOTHING, at(50));
        assertThat(watch.due(up, long64, MINUTE, Watch.Mood.AWAKE, at(111))).as("more than a minute later").isFalse();
        assertThat(watch.due(failing, long64, MINUTE, Watch.Mood.AWAKE, at(120))).isFalse();
        assertThat(watch.due(failing, long64, MINUTE, Watch.Mood.AWAKE, at(124))).as("a tower has changed").isTrue();
        assertThat(watch.due(failing, long64, MINUTE, Watch.Mood.AWAKE, at(320))).isFalse();
        assertThat(watch.due(failing, long64, MINUTE, Watch.Mood.AWAKE, at(324))).as("five times forty seconds later").isTrue();
    }

    @Test
    void aTowerThatChangesIsLookedAtSoonAndTogetherWithTheNext() {
        due(up, 4);
        due(up, 8);
        assertThat(due(failing, 20)).isFalse();
        assertThat(due(up, 23)).isFalse();
        assertThat(due(up, 26)).isFalse();
        assertThat(due(up, 27)).isTrue();
    }

    @Test
    void whatChangedWhileItRestsIsLookedAtAfterwards() {
        due(up, 0);
        due(up, 4);
        assertThat(watch.due(failing, Look.NONE, MINUTE, Watch.Mood.RESTS, at(10))).isFalse();
        assertThat(watch.due(failing, Look.NONE, MINUTE, Watch.Mood.RESTS, at(200))).isFalse();
        assertThat(due(failing, 201)).isTrue();
    }

    @Test
    void itNeverLooksWhileALookGoesOnOrWhenItIsOff() {
        due(up, 0);
        assertThat(watch.due(up, Look.NONE.begun(at(1)), MINUTE, Watch.Mood.AWAKE, at(90))).isFalse();
        assertThat(watch.due(up, Look.NONE, Optional.empty(), Watch.Mood.AWAKE, at(900))).isFalse();
    }

    @Test
    void aFindingIsNewOnceAndNotAgainAfterAFlicker() {
        Finding finding = SampleFindings.toleration("pve3/0000:01:00");
        assertThat(sightings.saw(SampleFindings.diagnosis(List.of(finding)), at(0))).containsExactly(finding);
        assertThat(sightings.saw(SampleFindings.diagnosis(List.of(finding)), at(60))).isEmpty();
        assertThat(sightings.saw(SampleFindings.NOTHING, at(120))).isEmpty();
        assertThat(sightings.saw(SampleFindings.diagnosis(List.of(finding)), at(180))).isEmpty();
        assertThat(sightings.since(finding)).contains(at(0));
        assertThat(sightings.saw(SampleFindings.NOTHING, at(240))).isEmpty();
        assertThat(sightings.saw(SampleFindings.diagnosis(List.of(finding)), at(180 + 601))).containsExactly(finding);
    }

    @Test
    void theSameCauseOnOneMoreCardIsNewAndOnlyWhatIsCertainIs() {
        sightings.saw(SampleFindings.diagnosis(List.of(SampleFindings.toleration("pve3/0000:01:00"))), at(0));
        assertThat(sightings.saw(SampleFindings.diagnosis(List.of(SampleFindings.toleration("pve3/0000:01:00",
                "pve5/0000:01:00"), SampleFindings.likely())), at(60))).extracting(f -> f.trap().name())
                .containsExactly("device-plugin-missing-toleration");
    }

    @Test
    void aMessageGoesWithTheLastOfItsFindingsAndNotWhileASourceIsSilent() {
        Finding taint = SampleFindings.toleration("pve3/0000:01:00");
        Finding other = SampleFindings.finding("node-cordoned", TrapFloor.SCHEDULING, Trap.Kind.FAULT, "The node takes no pods", 0.9,
                List.of("metal1"), List.of(), List.of());
        List<String> away = new ArrayList<>();
        Alarms alarms = new Alarms();
        alarms.told(List.of(taint, other), SampleFindings.diagnosis(List.of(taint, other)), () -> away.add("both"));

        alarms.looked(SampleFindings.diagnosis(List.of(other)));
        assertThat(away).as("one of them is still there").isEmpty();
        alarms.looked(SampleFindings.NOTHING.unseen(List.of("pve3 does not answer")));
        assertThat(away).as("what cannot be looked at is not gone").isEmpty();
        alarms.looked(SampleFindings.NOTHING);
        alarms.looked(SampleFindings.NOTHING);
        assertThat(away).containsExactly("both");
    }

    @Test
    void aPlaceThatWasNeverSeenKeepsNoMessage() {
        Finding taint = SampleFindings.toleration("pve3/0000:01:00");
        List<String> away = new ArrayList<>();
        Alarms alarms = new Alarms();
        alarms.told(List.of(taint), SampleFindings.diagnosis(List.of(taint)).unseen(List.of("pve4 does not answer")), () -> away.add("it"));

        alarms.looked(SampleFindings.NOTHING.unseen(List.of("pve4 does not answer")));
        assertThat(away).containsExactly("it");
    }

    private boolean due(SiteView view, long second) {
        return watch.due(view, Look.NONE, MINUTE, Watch.Mood.AWAKE, at(second));
    }

    private static Instant at(long second) {
        return SampleSite.NOW.plusSeconds(second);
    }
}
