export const usage = `The Muster agent: installs software and reports inventory on this computer.

  enrol         exchange an enrolment token or code for the credential of this computer
  run           contact the server and do its work until SIGTERM
  contact       make a contact now
  status        show the state of the agent
  inventory     print the inventory of this computer as JSON
  selftest      ask everything that the agent reads from this computer, and print what it answered
  offers        list the optional packages
  take          request an optional package
  request       ask for a package that is not offered
  open          open the self-service page in your browser
  suspend       start no more work
  resume        start work again
  postpone      postpone work that may be postponed
  trust-key     show or change the keys that must have signed what the agent runs
  self-update   try another version of the agent
  install-patches
                install the patches of a fix package, as its command
  roll-back-patches
                bring back the versions before stopped patches, as the command of a fix package
  refresh-patches
                fetch what the repositories offer, as the command of a scan package
  repository-package
                install or remove a package of a Debian or RPM repository, as the command of work
  os-installed  report that the operating system was installed, or that this failed

Run 'COMMAND --help' for details, '--version' for the version. All commands take --state DIR, the state folder:
/var/lib/muster-agent for root, ~/.local/state/muster-agent for other users. Users without administrator rights can use status,
offers, take, request, postpone and open: these ask the agent that runs on the computer.`

export const usages: Record<string, string> = {
  enrol: `enrol --server URL --token TOKEN

  --server URL     URL of the server, with https
  --token TOKEN    enrolment token, or the re-enrolment code of this computer; prefer MUSTER_AGENT_TOKEN in the
                   environment, which other users cannot see
  --installation TOKEN
                   for installers: the token of the boot script, or an address that ends with it; also as
                   MUSTER_AGENT_INSTALLATION
  --state DIR      state folder of the agent
  --ca FILE        certificates (PEM) to trust instead of those of the system; a copy is stored
  --name NAME      name of the computer; default: the host name
  --domain DOMAIN  domain of the computer; default: the domain of the host name
  --uuid UUID      UUID of the computer; default: that of the firmware; 'none' for no UUID
  --mac ADDRESS    MAC address; default: that of the interface with the default route; 'none' for no address
  --trust-key KEY  public key of minisign, or its file: the agent then runs only packages that it has signed; repeat it
                   for several keys. Without it, the agent pins the keys of its template at the first contact.
  --force          enrol with this server although the computer is enrolled with another
  --insecure       allow plain http to another host, which exposes the credential to the network`,
  run: `run

  --state DIR               state folder of the agent
  --once                    do the work that is due, then exit; exits with 1 if the server cannot be reached
  --reboot-command COMMAND  shell command to run instead of restart, shutdown and log-off of the system;
                            MUSTER_AGENT_REBOOT_COMMAND does the same. The command gets MUSTER_POWER_ACTION.
  --no-inventory            send no inventory and no patch scan; MUSTER_AGENT_INVENTORY=off does the same
  --pre-os                  run as the agent of a pre-installation environment`,
  contact: `contact [--state DIR]

  Asks the running agent for a contact, and waits for it. Exits with 1 if there is none within 30 seconds.`,
  status: 'status [--state DIR]',
  inventory: 'inventory',
  selftest: `selftest

  Changes nothing. Exits with 1 if something failed. A source that this computer does not have is not a failure.`,
  offers: 'offers [--state DIR]',
  take: 'take PACKAGE_ID [--state DIR]',
  request: `request TEXT [--reason TEXT] [--state DIR]

  TEXT           the package that you need, in your own words. An administrator decides; 'status' shows the decision.
  --reason TEXT  why you need it`,
  open: `open [--no-browser] [--state DIR]

  Shows what is offered, installed, pending and failed, and lets you take, postpone and ask for packages. The page is served by
  this command, on this computer only, and ends 15 minutes after its window was closed.

  --no-browser   print the address instead of opening it. It works once, within two minutes.`,
  suspend: `suspend [--mode MODE] [--until TIME] [--state DIR]

  --mode MODE   Suspended (the default), PresentationMode or MaintenanceMode
  --until TIME  for example 90m, 2h, 1d or a date with time; without it, until 'resume'`,
  resume: 'resume [--state DIR]',
  postpone: `postpone --until TIME [--state DIR]

  --until TIME  for example 90m, 2h, 1d or a date with time. Each work item limits how often and until when it can be
                postponed; forced work cannot be postponed.`,
  'trust-key': `trust-key [KEY]... [--remove KEY_ID]... [--state DIR]

  KEY              public key of minisign, or its file, to trust from now on. If the file of pinned keys is lost, name
                   all of them again.
  --remove KEY_ID  trust this key no longer, whatever lists the server has. Without any key, the agent runs packages without
                   a signature.`,
  'self-update': `self-update ARCHIVE [--allow-older] [--state DIR]

  ARCHIVE        muster-agent-linux-ARCHITECTURE.tar.gz, or a folder with it. The service runs the new version on trial and
                 returns to this one if the new one does not contact the server within 10 minutes.
  --allow-older  also if the version is older than this one, on a computer with pinned keys. Not in commands of packages.`,
  'install-patches': `install-patches

  Installs exactly the patches in MUSTER_PATCHES. Exits with 100, on Windows with 3010, if a restart must follow, and with 1
  if a patch could not be installed.`,
  'roll-back-patches': `roll-back-patches

  Brings back the versions that apt, dnf or zypper had installed before the patches in MUSTER_ROLLBACKS, as far as the repositories
  still have them. The agent reports those that cannot be rolled back. Exits with 100 if a restart must follow.`,
  'refresh-patches': `refresh-patches

  Fetches the lists of packages and advisories of the repositories, with the tool of the distribution.`,
  'repository-package': `repository-package install|uninstall FILE

  FILE  what the package declares as its source, as JSON. Exits with 100 if a restart must follow.`,
  'os-installed': `os-installed [--failed] [--message TEXT] [--state DIR]

  --failed        the installation failed
  --message TEXT  the reason`,
}
