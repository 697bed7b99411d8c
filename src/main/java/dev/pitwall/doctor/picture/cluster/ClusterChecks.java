package dev.pitwall.doctor.picture.cluster;

import dev.pitwall.doctor.picture.Check;

import java.util.List;
import java.util.function.UnaryOperator;

/** Every check of a cluster. */
public final class ClusterChecks {

    private ClusterChecks() {
    }

    /** @param component gives the component whose name a text has; empty text for none */
    public static List<Check> all(UnaryOperator<String> component) {
        return List.of(new NodeResourcesCheck(), new MigCheck(), new TolerationCheck(component), new ClaimsCheck(),
                new SharingCheck(), new RuntimeCheck(component), new RuntimeClassCheck(), new ChartCheck(),
                new MetricsCheck(), new AdmissionCheck(), new AgeCheck(), new OffloadCheck(), new WholeCheck(),
                new EarlierXidCheck(component), new RecoveredCheck(), new ForeignCheck(), new WellCheck(), new DriverOwnersCheck());
    }
}
