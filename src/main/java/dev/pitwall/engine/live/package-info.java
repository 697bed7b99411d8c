/**
 * The engine at a live site: what is on which card now, what a person or the policy wants done about it, and what came of
 * it. Plain Java: model servers are reached through {@link dev.pitwall.engine.live.ServerDriver}.
 */
package dev.pitwall.engine.live;
