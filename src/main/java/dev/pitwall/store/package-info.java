/**
 * What Pitwall keeps: one SQLite file, {@code pitwall.db}, in its data folder, and site files.
 *
 * <p>Rules of this package:
 * <ul>
 *   <li>Two processes at once work: write-ahead log, short transactions that begin as writers, five seconds of
 *       patience with each other.</li>
 *   <li>The schema has a number ({@code PRAGMA user_version}). Before an older file is brought up to date, a copy of
 *       it is kept beside it. A newer file is not touched.</li>
 *   <li>A damaged file is never replaced or repaired without being asked: opening it fails with one sentence.
 *       {@link dev.pitwall.store.Database#setAside} renames it (with its log) when the person says so; nothing is
 *       ever deleted.</li>
 *   <li>Secrets are not in here. The sites hold names of secrets; the secrets are where
 *       {@link dev.pitwall.store.secret} puts them.</li>
 * </ul>
 */
package dev.pitwall.store;
