package dev.pitwall.doctor;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.cluster.ClusterChecks;
import dev.pitwall.doctor.picture.host.AttachedFunctions;
import dev.pitwall.doctor.picture.host.CardGeneration;
import dev.pitwall.doctor.picture.host.CardOnHost;
import dev.pitwall.doctor.picture.host.DriverVersions;
import dev.pitwall.doctor.picture.host.GroupMates;
import dev.pitwall.doctor.picture.host.IommuState;
import dev.pitwall.doctor.picture.host.LoadedDriver;
import dev.pitwall.doctor.picture.host.OfOneNode;
import dev.pitwall.doctor.picture.host.TalosExtensions;
import dev.pitwall.doctor.picture.host.TwinCards;
import dev.pitwall.doctor.picture.host.VmSettings;
import dev.pitwall.doctor.sign.SignTable;

import java.util.List;
import java.util.stream.Stream;

/** Every check there is. */
final class Checks {

    private Checks() {
    }

    /** @param table knows the components by their names */
    static List<Check> all(SignTable table) {
        Stream<Check> host = Stream.<Check>of(new CardOnHost(), new GroupMates(), new TwinCards(),
                new AttachedFunctions(), new VmSettings(), new IommuState(), new LoadedDriver(), new DriverVersions(),
                new CardGeneration(), new TalosExtensions()).map(OfOneNode::new);
        return Stream.concat(host, ClusterChecks.all(table::component).stream()).toList();
    }
}
