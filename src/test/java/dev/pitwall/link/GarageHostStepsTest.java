package dev.pitwall.link;

import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.host.HostSteps;
import dev.pitwall.journey.survey.HostSurveyor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** The host steps rest on names that the surveyor gives what it shows: over sockets, every row has its output. */
class GarageHostStepsTest {
    @RegisterExtension
    static final GarageSystems GARAGE = new GarageSystems();

    @Test
    void aHostThatItsAdministratorHasSetUpNeedsNothingAndShowsWhy() throws Exception {
        Situation situation = new Situation(new Situation.Subject("pve2/0000:01:00", "RTX A1000", "pve2",
                PciAddress.parse("0000:01:00").orElseThrow()), Choices.NONE,
                new HostSurveyor(InstantSource.system()).survey(GARAGE.systems(), "pve2"), Optional.empty());
        Map<String, Answer> answers = new HashMap<>();
        for (Step step : HostSteps.all()) {
            answers.put(step.id(), step.look(situation));
        }

        assertThat(answers.get("iommu").state()).isEqualTo(Answer.State.DONE);
        assertThat(answers.get("group").why()).isEqualTo("group 14 holds only this card");
        assertThat(answers.get("bind").why()).isEqualTo("all 2 functions are kept for vfio-pci by /etc/modprobe.d/vfio.conf");
        assertThat(answers.get("idle-power").state()).isEqualTo(Answer.State.NOT_APPLICABLE);
        List<Found> rows = answers.values().stream().flatMap(a -> a.found().stream()).toList();
        assertThat(rows).hasSizeGreaterThan(12).allSatisfy(row -> {
            assertThat(row.raw()).as(row.name()).isNotBlank();
            assertThat(row.mark()).as(row.name()).isNotEqualTo(Found.Mark.UNKNOWN);
        });
    }
}
