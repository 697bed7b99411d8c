package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.ScriptedMachine;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PackageChange.Leaving;
import dev.pitwall.journey.change.PackageChange.Manager;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PackageMakingTest {
    private static final String QUERY = "dpkg-query -W -f ${Package}\\t${Version}\\t${db:Status-Status}\\n";
    private static final String INSTALL = "env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get install ";
    private static final String OPTIONS = "-y --no-install-recommends -o DPkg::Lock::Timeout=300 utils";

    private final ScriptedMachine machine = new ScriptedMachine("anvil").says("dpkg --audit", "")
            .says("apt-get -o DPkg::Lock::Timeout=300 update", "");
    private final PackageChange change = new PackageChange("anvil", Manager.APT, new TreeMap<>(Map.of("utils", "")),
            new TreeMap<>(Map.of("utils", PackageChange.OFFERED)), Leaving.CONFIGURATION, "", Duration.ZERO, Duration.ofMinutes(1));
    private final PackageMaking making = new PackageMaking(change, machine, Patience.usual(InstantSource.system()));

    @Test
    void whatIsInstalledTellsWhereItStands() throws Exception {
        machine.says(QUERY + " utils", "");
        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.BEFORE);

        machine.says(QUERY + " utils", "utils\t1.2\tinstalled\n");
        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.AFTER);

        machine.says(QUERY + " utils", "utils\t1.2\thalf-configured\n");
        assertThat(making.standing(Optional.of("base"))).as("cut off").isEqualTo(Standing.BEFORE);
    }

    @Test
    void anInstallationThatWasCutOffIsBroughtToItsEndFirst() {
        machine.says("dpkg --audit", "The following packages are only half configured\n")
                .fails("env DEBIAN_FRONTEND=noninteractive dpkg --configure -a", 1, "dpkg: error processing package utils\n");

        assertThatThrownBy(() -> making.make(Optional.of("base"))).isInstanceOf(TroubleException.class)
                .hasMessageContaining("error processing package utils");
    }

    @Test
    void nothingIsInstalledIfMoreWouldChangeThanThePlanNames() {
        machine.says(INSTALL + "-s " + OPTIONS, "Remv precious [1.0]\nInst utils (1.2 Ubuntu [amd64])\n");

        assertThatThrownBy(() -> making.make(Optional.of("base"))).hasMessageContaining("precious");
    }

    @Test
    void anotherProgramThatInstallsIsNamed() {
        machine.says(INSTALL + "-s " + OPTIONS, "Inst utils (1.2 Ubuntu [amd64])\n").fails(INSTALL + OPTIONS, 100,
                "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (unattended-upgr)\n");

        assertThatThrownBy(() -> making.make(Optional.of("base"))).hasMessageContaining("unattended-upgr");
    }

    @Test
    void undoTakesWhatCameBesideItAndNothingThatWasThereBefore() throws Exception {
        machine.says(QUERY + " utils", "utils\t1.2\tinstalled\n")
                .says("apt-get -s remove --auto-remove utils", "Remv utils [1.2]\nRemv library [3.4]\nRemv old [5.6]\n")
                .says(QUERY + " library", "library\t3.4\tinstalled\n");

        PackageChange made = making.asMade(Optional.of("base old"));

        assertThat(made.inverse().after()).isEqualTo(Map.of("library", "", "utils", ""));
        assertThat(made.inverse().before()).isEqualTo(Map.of("library", "3.4", "utils", "1.2"));
        assertThat(made.inverse().target()).isEqualTo("apt-get install library- utils-");
    }

    @Test
    void theRowsOfDnfAreReadAlsoWhereALongNameBreaksThem() {
        String said = """
                Dependencies resolved.
                ================================================
                 Package          Arch     Version   Repo   Size
                ================================================
                Installing:
                 nvidia-driver-cuda
                                  x86_64   580.1-1   cuda   5 M
                Removing dependent packages:
                 old              x86_64   1.0-1     @base  1 M

                Transaction Summary
                """;

        assertThat(PackageTool.section(said, "Installing:")).containsExactly("nvidia-driver-cuda");
        assertThat(PackageTool.section(said, "Removing dependent packages:")).containsExactly("old");
    }
}
