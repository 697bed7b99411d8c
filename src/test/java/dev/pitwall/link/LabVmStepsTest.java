package dev.pitwall.link;

import dev.pitwall.card.PciAddress;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.guest.ChosenVm;
import dev.pitwall.journey.guest.GuestSteps;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.DatacenterSurvey.Storage;
import dev.pitwall.journey.survey.DatacenterSurveyor;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.HostSurveyor;
import dev.pitwall.journey.survey.VmSurveyor;
import dev.pitwall.lab.Lab;
import dev.pitwall.lab.LabOptions;
import dev.pitwall.link.ssh.KnownHosts;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.store.SiteFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** The VM steps on what the surveyors read of the practice lab, over its sockets. */
class LabVmStepsTest {
    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    private static Path dir;
    private static Lab lab;
    private static SiteSystems systems;

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.start(LabOptions.garage(dir));
        SiteFile.Loaded loaded = new SiteFile(lab.siteFile()).read();
        NetworkTrouble troubles = new NetworkTrouble(new Words());
        HostLinks links = new HostLinks(loaded.secrets(), SecondFactor.NONE, CLOCK, TimeLimits.usual(),
                troubles, new KnownHosts(List.of()), Optional.empty());
        systems = new SiteSystems(loaded.site(), links, troubles, CLOCK);
    }

    @AfterAll
    static void stop() {
        systems.close();
        lab.close();
    }

    @Test
    void theDatacenterIsReadWithTheRightsOfItsCaller() throws Exception {
        DatacenterSurvey datacenter = new DatacenterSurveyor(CLOCK).read(systems.proxmox("pve1"), "pve1");

        assertThat(datacenter.caller().root()).isFalse();
        assertThat(datacenter.grants().holds("/vms/122", "VM.Config.HWType")).isTrue();
        assertThat(datacenter.grants().holds("/vms/122", "VM.Allocate")).isFalse();
        assertThat(datacenter.nodes()).containsExactly("pve1", "pve2", "pve3");
        assertThat(datacenter.mappings()).isPresent();
        assertThat(datacenter.memory()).hasValueSatisfying(m -> {
            assertThat(m.totalMiB()).isGreaterThan(90_000);
            assertThat(m.availableMiB()).isPositive().isLessThan(m.totalMiB());
        });
        assertThat(datacenter.storages()).filteredOn(s -> s.holds("images")).extracting(Storage::id).contains("local-lvm");
        assertThat(datacenter.freeId().orElseThrow()).isGreaterThanOrEqualTo(100);
    }

    @Test
    void aCardThatWorksHasEveryStepDone() throws Exception {
        Situation situation = read(Choices.NONE);

        assertThat(GuestSteps.all()).allSatisfy(step -> assertThat(step.look(situation))
                .as(step.id() + ": " + step.look(situation).why()).extracting(Answer::state).isEqualTo(Answer.State.DONE));
    }

    @Test
    void anotherVmDoesNotGetTheCardOfOneThatRuns() throws Exception {
        Situation open = read(Choices.NONE);
        int holder = ChosenVm.of(open).orElseThrow();
        int other = open.host().guests().stream().filter(g -> g.id() != holder && g.type().equals("qemu")).findFirst()
                .orElseThrow().id();

        Answer answer = GuestSteps.all().getFirst().look(read(Choices.NONE.with("vm", String.valueOf(other))));

        assertThat(answer.state()).isEqualTo(Answer.State.BLOCKED);
        assertThat(answer.why()).contains("VM " + holder);
    }

    private static Situation read(Choices choices) throws Exception {
        HostSurvey host = new HostSurveyor(CLOCK).survey(systems, "pve1");
        DatacenterSurvey datacenter = new DatacenterSurveyor(CLOCK).read(systems.proxmox("pve1"), "pve1");
        Situation.Subject card = new Situation.Subject("pve1/0000:01:00", "RTX A1000", "pve1",
                PciAddress.parse("0000:01:00").orElseThrow());
        Situation open = new Situation(card, choices, host, Optional.empty(), Optional.of(datacenter), Map.of());
        int vmid = ChosenVm.of(open).orElseThrow();
        return new Situation(card, choices, host, Optional.of(new VmSurveyor(CLOCK).survey(systems, "pve1", vmid)),
                Optional.of(datacenter), Map.of());
    }
}
