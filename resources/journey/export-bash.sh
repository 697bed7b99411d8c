set -euo pipefail
export LC_ALL=C

die() { printf '%s\n' "$*" >&2; exit 1; }
say() { printf '%s\n' "$*"; }

# What is done is noted here, beside a copy of everything as it was before.
KEEP=${KEEP:-$keep_default}
so_far='Nothing was written'
todo() { [ ! -e "$KEEP/$way.$1" ]; }
finished() { : > "$KEEP/$way.$1"; }

begin() {
  way=$1
  so_far='It was left alone'
  mkdir -p -- "$KEEP"
  chmod 0700 -- "$KEEP"
}

# begin_make: an undo that was made before counts no more.
begin_make() {
  begin make
  kept="$KEEP/before"
  rm -f -- "$KEEP"/undo.* "$KEEP"/was.* "$KEEP"/boot.undo.* "$KEEP"/asked.undo.*
}

# begin_undo: what was made before tells what has to be taken back.
begin_undo() {
  local note
  begin undo
  kept="$KEEP/before-undo"
  for note in "$KEEP"/make.*; do
    [ ! -e "$note" ] || mv -f -- "$note" "$KEEP/was.${note##*.}"
  done
  rm -f -- "$KEEP"/boot.make.* "$KEEP"/asked.make.*
}

# was_made NUMBER: only a reboot or power cycle that was made has to be made again by the undo.
was_made() { [ "$way" = make ] || [ -e "$KEEP/was.$1" ]; }

# rebooted NUMBER: true after the host was booted anew since this was first asked.
rebooted() {
  local boot; boot=$(cat /proc/sys/kernel/random/boot_id)
  [ -e "$KEEP/boot.$way.$1" ] || printf '%s\n' "$boot" > "$KEEP/boot.$way.$1"
  [ "$(cat "$KEEP/boot.$way.$1")" != "$boot" ]
}

# asked NUMBER LINE...: what has to be done elsewhere first is said once; run again, the script goes on.
asked() {
  [ ! -e "$KEEP/asked.$way.$1" ] || return 0
  : > "$KEEP/asked.$way.$1"
  shift
  say "$(printf '%s\n' "$@")"
  exit 0
}

digest() { if [ -e "$1" ]; then sha256sum < "$1" | cut -d ' ' -f 1; else echo absent; fi; }

# check_file PATH BEFORE AFTER: a file holds what it held when the plan was made, or already what it is to hold.
check_file() {
  local now; now=$(digest "$1")
  [ "$now" = "$2" ] || [ "$now" = "$3" ] || die "$1 is not as it was when the plan was made. $so_far: make the plan again."
}

keep_file() {
  local copy="$kept$1"
  [ ! -e "$1" ] || [ -e "$copy" ] || { mkdir -p "$(dirname "$copy")"; cp -a -- "$1" "$copy"; }
}

# put_file PATH BEFORE AFTER: the file gets the bytes of standard input; at no moment is it half a file.
put_file() {
  local path new; path=$(readlink -f -- "$1" || printf '%s' "$1")
  if [ "$(digest "$1")" = "$3" ]; then cat > /dev/null; say "already so: $1"; return; fi
  check_file "$1" "$2" "$3"
  keep_file "$1"
  mkdir -p -- "$(dirname "$path")"
  new=$(mktemp -- "$path.pitwall.XXXXXX")
  cat > "$new"
  [ "$(digest "$new")" = "$3" ] || { rm -f -- "$new"; die "the bytes for $1 did not arrive whole"; }
  if [ -e "$path" ]; then chmod --reference="$path" "$new"; chown --reference="$path" "$new"; else chmod 0644 "$new"; fi
  mv -f -- "$new" "$path"
  say "written: $1"
}

# remove_file PATH BEFORE
remove_file() {
  if [ ! -e "$1" ]; then say "already so: $1"; return; fi
  check_file "$1" "$2" absent
  keep_file "$1"
  rm -f -- "$1"
  say "removed: $1"
}

# vm_value ID KEY: "=VALUE" with pending changes counted, nothing if the key is not set.
vm_value() { qm config "$1" | sed -n "s/^$2: /=/p"; }

# check_vm ID KEY BEFORE AFTER
check_vm() {
  local now; now=$(vm_value "$1" "$2") || die "VM $1 cannot be read. $so_far."
  [ "$now" = "$3" ] || [ "$now" = "$4" ] || die "$2 of VM $1 is not as it was when the plan was made. $so_far: make the plan again."
}

# vm_has ID KEY VALUE...: true if all of them are so.
vm_has() {
  local id=$1; shift
  while [ $# -gt 0 ]; do
    [ "$(vm_value "$id" "$1")" = "$2" ] || return 1
    shift 2
  done
}

keep_vm() { [ -e "$KEEP/vm-$1.before" ] || qm config "$1" > "$KEEP/vm-$1.before"; }
vm_status() { qm status "$1" | sed 's/^status: //'; }

# wait_vm ID STATUS SECONDS: with HA the status follows some seconds after the command.
wait_vm() {
  local left=$3
  while [ "$(vm_status "$1")" != "$2" ]; do
    [ "$left" -gt 0 ] || die "VM $1 is not $2 after $3 s. It was not cut off: look at it, then run this script again."
    sleep 1
    left=$((left - 1))
  done
}

# mapping ID: its entries, one a line, or "absent".
mapping() {
  pvesh get /cluster/mapping/pci --output-format json | ID=$1 perl -MJSON::PP -0777 -ne '
    my ($m) = grep { $_->{id} eq $ENV{ID} } @{decode_json($_)};
    print $m ? join("\n", @{$m->{map}}) : "absent";'
}

# check_mapping ID BEFORE AFTER
check_mapping() {
  local now; now=$(mapping "$1") || die "The mappings cannot be read. $so_far."
  [ "$now" = "$2" ] || [ "$now" = "$3" ] || die "Mapping $1 is not as it was when the plan was made. $so_far: make the plan again."
}

# check_new_vm ID UUID: nothing has the id, or it is the VM that this script made.
check_new_vm() {
  [ ! -e "/etc/pve/lxc/$1.conf" ] || die "Container $1 is there already. $so_far: make the plan again."
  if qm status "$1" > /dev/null 2>&1; then
    [ -e "$KEEP/new-$1" ] || qm config "$1" | grep -q "^smbios1: .*uuid=$2" || die "Another VM $1 is there already. $so_far: make the plan again."
  fi
}
