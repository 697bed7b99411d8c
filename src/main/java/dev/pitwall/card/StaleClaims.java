package dev.pitwall.card;

import java.util.Map;
import java.util.Optional;

/**
 * Takes back a floor's "OK" where a live reading of another source says that it cannot be true any more. Labels, resources and
 * pod states in the cluster are what a kubelet wrote last; they stay for minutes when its machine is gone, and for ever
 * when only the driver is.
 */
final class StaleClaims {

    Finding weighed(Floor floor, CardPlace place, Map<Floor, Finding> findings,
                    Optional<Observed<ClusterReport>> cluster) {
        Finding finding = findings.get(floor);
        if (!isOk(finding) || floor.compareTo(Floor.DRIVER) < 0) {
            return finding;
        }
        boolean ofCluster = finding.basis().isPresent() && finding.basis().equals(cluster);
        if (ofCluster && withoutItsVm(place)) {
            return waiting(finding, Floor.VM);
        }
        return floor != Floor.DRIVER && contradicted(floor, ofCluster, place, findings.get(Floor.DRIVER))
                ? waiting(finding, Floor.DRIVER) : finding;
    }

    /** What the worker does not have now, according to its host, no node can be using. */
    private static boolean withoutItsVm(CardPlace place) {
        return place.substrate() == CardPlace.Substrate.PROXMOX && place.hostApi().filter(Observed::live).isPresent()
                && (place.holder().isEmpty() || !place.holder().equals(place.worker()));
    }

    private static boolean contradicted(Floor floor, boolean ofCluster, CardPlace place, Finding driver) {
        boolean lost = driver.trap().filter(NodeFloors.LOST::equals).isPresent();
        return switch (floor) {
            case PLUGIN -> ofCluster && (unready(place) || isBroken(driver));
            case PROOF -> ofCluster && unready(place) || isBroken(driver);
            case SERVER -> ofCluster && unready(place) || lost;
            default -> ofCluster && unready(place);
        };
    }

    private static boolean unready(CardPlace place) {
        return place.node().filter(n -> !NodeFloors.nodeReady(n)).isPresent();
    }

    private static boolean isOk(Finding finding) {
        return finding.verdict() instanceof Finding.Own own && own.state() == FloorState.OK;
    }

    /** Something is known against it; that nobody could look is no contradiction. */
    private static boolean isBroken(Finding driver) {
        boolean live = driver.basis().filter(Observed::live).isPresent();
        return live && switch (driver.verdict()) {
            case Finding.WaitsFor waits -> true;
            case Finding.Own own -> switch (own.state()) {
                case FAILING, BLOCKED, WAITING -> true;
                case OK, UNKNOWN, NOT_APPLICABLE -> false;
            };
        };
    }

    private static Finding waiting(Finding finding, Floor floor) {
        Finding waits = Finding.waitsFor(floor).with(finding.readings());
        return finding.basis().<Finding>map(waits::on).orElse(waits);
    }
}
