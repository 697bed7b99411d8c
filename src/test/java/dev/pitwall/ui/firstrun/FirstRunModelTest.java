package dev.pitwall.ui.firstrun;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Site;
import dev.pitwall.ui.SampleRest;
import dev.pitwall.ui.SampleSite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstRunModelTest {

    private final SampleRest rest = new SampleRest(SampleSite.view());
    private final List<Site> opened = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();

    @Test
    void theFirstSceneThatThisVersionHasIsChosen() {
        assertThat(model().sceneProperty().get()).isEqualTo("garage");
    }

    @Test
    void whileASceneStartsItSaysSoAndStartsOnce() {
        FirstRunModel model = model();
        model.startLab();
        model.startLab();
        assertThat(model.progressProperty().get()).isEqualTo(new FirstRunModel.Progress.Starting("garage"));
        assertThat(waiting).hasSize(1);
        waiting.forEach(Runnable::run);
        assertThat(opened).extracting(Site::name).containsExactly("garage");
        assertThat(model.progressProperty().get()).isEqualTo(new FirstRunModel.Progress.Idle());
    }

    @Test
    void aFailureStaysInPlaceWithItsNextAction() {
        Trouble trouble = new Trouble(Trouble.Kind.CONNECT, "127.0.0.1:8006", "the port is taken", "Close the other lab.");
        rest.failLab(trouble);
        FirstRunModel model = model();
        model.startLab();
        waiting.forEach(Runnable::run);
        assertThat(model.progressProperty().get()).isEqualTo(new FirstRunModel.Progress.Failed(trouble));
        assertThat(opened).isEmpty();
    }

    @Test
    void aFileThatIsNoSiteIsExplained() {
        Trouble trouble = new Trouble(Trouble.Kind.UNREADABLE, "site.json line 3", "not a site", "Choose another file.");
        FirstRunModel model = new FirstRunModel(rest, _ -> {
            throw new TroubleException(trouble);
        }, Runnable::run, Runnable::run, opened::add);
        model.openFile(Path.of("site.json"));
        assertThat(model.progressProperty().get()).isEqualTo(new FirstRunModel.Progress.Failed(trouble));
    }

    private FirstRunModel model() {
        return new FirstRunModel(rest, _ -> SampleSite.SITE, waiting::add, Runnable::run, opened::add);
    }
}
