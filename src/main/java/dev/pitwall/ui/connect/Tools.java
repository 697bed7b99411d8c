package dev.pitwall.ui.connect;

import dev.pitwall.site.KubeconfigCatalog;
import dev.pitwall.site.Reachability;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Sites;
import dev.pitwall.ui.words.Texts;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * What the forms work with.
 *
 * @param siteId     of the site that is being put together; the names of its secrets begin with it
 * @param background for what may block
 * @param window     where everything else happens
 * @param home       the person's home folder, where SSH keys are
 */
record Tools(String siteId, Texts texts, Reachability reach, KubeconfigCatalog kubeconfigs, TypedSecrets secrets,
             Sites sites, Executor background, Executor window, Path home) {

    Trial trial(Runnable changed) {
        return new Trial(background, window, changed);
    }

    /** @param system for example {@code proxmox} */
    SecretField secret(String system, Optional<SecretRef> kept) {
        return new SecretField(secrets, new SecretRef(siteId + "/" + system + "/" + UUID.randomUUID()), kept);
    }
}
