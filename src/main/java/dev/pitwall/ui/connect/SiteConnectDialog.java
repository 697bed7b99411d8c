package dev.pitwall.ui.connect;

import dev.pitwall.site.KubeconfigCatalog;
import dev.pitwall.site.Reachability;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import dev.pitwall.ui.UiThread;
import dev.pitwall.ui.shell.ConnectDialog;
import dev.pitwall.ui.shell.Overlay;
import dev.pitwall.ui.words.Texts;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javafx.geometry.Pos;

/** Puts a site together in the window's overlay. */
public final class SiteConnectDialog implements ConnectDialog {
    private final UiThread ui;
    private final Reachability reach;
    private final KubeconfigCatalog kubeconfigs;
    private final TypedSecrets secrets;
    private final Sites sites;
    private final Executor background;
    private Consumer<Site> removed = _ -> { };

    /**
     * @param reach      must test with {@code secrets}, so that what is typed and not saved counts
     * @param background for calls that may block; virtual threads
     */
    public SiteConnectDialog(UiThread ui, Reachability reach, KubeconfigCatalog kubeconfigs, TypedSecrets secrets,
                             Sites sites, Executor background) {
        this.ui = ui;
        this.reach = reach;
        this.kubeconfigs = kubeconfigs;
        this.secrets = secrets;
        this.sites = sites;
        this.background = background;
    }

    @Override
    public void add(Overlay overlay, Consumer<Site> done) {
        show(overlay, Optional.empty(), done);
    }

    @Override
    public void edit(Overlay overlay, Site site, Consumer<Site> done) {
        show(overlay, Optional.of(site), done);
    }

    @Override
    public void onRemoved(Consumer<Site> listener) {
        removed = listener;
    }

    private void show(Overlay overlay, Optional<Site> site, Consumer<Site> done) {
        Tools tools = new Tools(site.map(Site::id).orElseGet(() -> UUID.randomUUID().toString()), new Texts(), reach,
                kubeconfigs, secrets, sites, background, ui::run, Path.of(System.getProperty("user.home")));
        ConnectModel model = new ConnectModel(tools, site);
        ConnectController controller = new ConnectController(tools, model, new ConnectController.Ends() {
            @Override
            public void close() {
                overlay.close();
            }

            @Override
            public void saved(Site saved) {
                overlay.close();
                done.accept(saved);
            }

            @Override
            public void removed(Site gone) {
                overlay.close();
                removed.accept(gone);
            }
        });
        overlay.show(controller.node(), Pos.CENTER, controller.node(), Overlay.Dismissal.ESCAPE, controller::mayClose,
                model::close);
        // A scroll pane takes its content into the scene with its first styling; before, nothing in it gets the keyboard.
        controller.node().applyCss();
        controller.firstFocus().requestFocus();
        model.start();
    }
}
