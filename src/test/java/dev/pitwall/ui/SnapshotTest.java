package dev.pitwall.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pitwall.card.Floor;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.engine.live.WallView;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.board.SampleEngine;
import dev.pitwall.ui.board.SampleWall;
import dev.pitwall.ui.doctor.SampleDoctors;
import dev.pitwall.ui.doctor.SampleFindings;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.theme.Theme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@OneWindow
class SnapshotTest {

    private final Path folder = Path.of("target", "pictures");

    @Test
    void everyPageIsDrawnInBothThemesAndSizes() throws IOException {
        try (Snapshot snapshot = open(SampleSite.view())) {
            for (Theme theme : Theme.values()) {
                String end = "-" + theme.name().toLowerCase() + ".png";
                for (Page page : Page.values()) {
                    snapshot.page(page, theme, 1440, 900, folder.resolve(page.name().toLowerCase() + end));
                }
                snapshot.page(Page.GARAGE, theme, 1000, 700, folder.resolve("garage-small" + end));
                snapshot.page(Page.DOCTOR, new Subject("pve3/0000:01:00", Floor.PLUGIN), theme, 1440, 900,
                        folder.resolve("doctor-card" + end));
            }
        }
        assertThat(folder.resolve("garage-dark.png")).content(StandardCharsets.ISO_8859_1)
                .startsWith("\u0089PNG");
        assertThat(Files.size(folder.resolve("garage-dark.png"))).isGreaterThan(20_000);
    }

    @Test
    void theFirstScreenIsDrawnInBothThemesAndSizes() throws IOException {
        try (Snapshot snapshot = new Snapshot(new SampleRest(SampleSite.view()).dependencies())) {
            for (Theme theme : Theme.values()) {
                String end = "-" + theme.name().toLowerCase() + ".png";
                snapshot.firstRun(theme, 1440, 900, folder.resolve("first-run" + end));
                snapshot.firstRun(theme, 1000, 700, folder.resolve("first-run-small" + end));
            }
        }
        assertThat(Files.size(folder.resolve("first-run-light.png"))).isGreaterThan(20_000);
    }

    @Test
    void noCardsManyCardsAndLongNamesAreDrawn() throws IOException {
        try (Snapshot snapshot = open(SampleSite.view(List.of()))) {
            snapshot.page(Page.GARAGE, Theme.DARK, 1440, 900, folder.resolve("garage-empty.png"));
        }
        try (Snapshot snapshot = open(SampleSite.view(SampleSite.fleet(64)))) {
            snapshot.page(Page.GARAGE, Theme.DARK, 1440, 900, folder.resolve("garage-64.png"));
        }
        String longHost = "a-very-long-host-name-in-the-third-rack-of-the-basement";
        try (Snapshot snapshot = open(SampleSite.view(List.of(SampleSite.moved(SampleSite.pluginFailing(), longHost,
                "0000:01:00"), SampleSite.up(longHost + "2", "0000:02:00",
                        "RTX PRO 6000 Blackwell Max-Q Workstation Edition 96 GB"))))) {
            snapshot.page(Page.GARAGE, Theme.DARK, 1000, 700, folder.resolve("garage-long.png"));
        }
    }

    @Test
    void theDoctorIsDrawnWithEverythingWithNothingAndWithFortyLongFindings() throws IOException {
        doctor(SampleFindings.everything(), "everything");
        doctor(SampleFindings.many(40), "many");
        doctor(SampleFindings.many(0), "none");
        assertThat(Files.size(folder.resolve("doctor-many-small-dark.png"))).isGreaterThan(20_000);
    }

    private void doctor(Diagnosis diagnosis, String name) throws IOException {
        SampleDoctors doctors = new SampleDoctors();
        doctors.finds(diagnosis);
        SampleRest rest = new SampleRest(SampleSite.view());
        rest.doctors(doctors);
        try (Snapshot snapshot = open(rest)) {
            snapshot.go(Page.DOCTOR);
            await().until(snapshot::settled);
            for (Theme theme : Theme.values()) {
                String end = "-" + theme.name().toLowerCase() + ".png";
                snapshot.page(Page.DOCTOR, theme, 1440, 900, folder.resolve("doctor-" + name + end));
                snapshot.page(Page.DOCTOR, theme, 1000, 700, folder.resolve("doctor-" + name + "-small" + end));
            }
        }
    }

    @Test
    void theBoardIsDrawnAsPicturedWithEverythingWithNothingAndWithSixtyFourCards() throws IOException {
        SampleEngine engine = SampleEngine.picture();
        SampleRest rest = new SampleRest(SampleSite.view());
        rest.engines(_ -> Optional.of(engine));
        try (Snapshot snapshot = open(rest)) {
            for (Theme theme : Theme.values()) {
                board(snapshot, engine, SampleWall.view(), theme, "board-picture");
                board(snapshot, engine, SampleWall.everything(), theme, "board-everything");
            }
            board(snapshot, engine, SampleWall.fleet(64, 1000, 0), Theme.DARK, "board-64");
            board(snapshot, engine, SampleWall.fleet(0, 0, 0), Theme.LIGHT, "board-none");
        }
        assertThat(Files.size(folder.resolve("board-64-dark.png"))).isGreaterThan(20_000);
    }

    private void board(Snapshot snapshot, SampleEngine engine, WallView view, Theme theme, String name) throws IOException {
        engine.change(_ -> view);
        await().until(() -> snapshot.engine(view::equals));
        String end = "-" + theme.name().toLowerCase() + ".png";
        snapshot.page(Page.BOARD, theme, 1440, 900, folder.resolve(name + end));
        snapshot.page(Page.BOARD, theme, 1000, 700, folder.resolve(name + "-small" + end));
    }

    private static Snapshot open(SiteView view) {
        return open(new SampleRest(view));
    }

    private static Snapshot open(SampleRest rest) {
        Snapshot snapshot = new Snapshot(rest.dependencies());
        snapshot.open(SampleSite.SITE);
        await().until(() -> snapshot.shows(v -> !v.connections().isEmpty()));
        return snapshot;
    }
}
