package dev.pitwall.doctor;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.host.AttachedFunctions;
import dev.pitwall.doctor.picture.host.CardGeneration;
import dev.pitwall.doctor.picture.host.CardOnHost;
import dev.pitwall.doctor.picture.host.DriverVersions;
import dev.pitwall.doctor.picture.host.GroupMates;
import dev.pitwall.doctor.picture.host.IommuState;
import dev.pitwall.doctor.picture.host.LoadedDriver;
import dev.pitwall.doctor.picture.host.TalosExtensions;
import dev.pitwall.doctor.picture.host.TwinCards;
import dev.pitwall.doctor.picture.host.VmSettings;

import java.util.List;

/** Every check there is. */
final class Checks {

    private Checks() {
    }

    static List<Check> all() {
        return List.of(new CardOnHost(), new GroupMates(), new TwinCards(), new AttachedFunctions(), new VmSettings(),
                new IommuState(), new LoadedDriver(), new DriverVersions(), new CardGeneration(), new TalosExtensions());
    }
}
