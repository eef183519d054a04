export const usage = `The agent of Muster: does on this computer what its server asks for.

  enroll        exchange an enrolment token for the credential of this computer
  run           contact the server and do its work, until SIGTERM
  status        how the agent is
  inventory     what the agent tells of this computer
  offers        packages that somebody at this computer may take
  take          ask for one of them
  suspend       begin no work from now on
  resume        begin work again
  postpone      put off the work that may be put off
  os-installed  say that the operating system was installed, or could not be

'COMMAND --help' tells more. All of them take --state DIR, the folder of the agent: /var/lib/muster-agent for root,
~/.local/state/muster-agent for others.`

export const usages: Record<string, string> = {
  enroll: `enroll --server URL --token TOKEN

  --server URL     address of the server, with https
  --token TOKEN    enrolment token; MUSTER_AGENT_TOKEN in the environment does the same and is not seen by others
  --state DIR      folder of the agent
  --ca FILE        certificates (PEM) to trust beside those of the system; a copy is kept
  --name NAME      name of the computer, if it is not to be that of the system
  --domain DOMAIN  domain of the computer, likewise
  --uuid UUID      UUID of the computer, if it is not to be that of the firmware; none for no UUID
  --mac ADDRESS    MAC address, if it is not to be that of the interface that leads out; none for no address
  --force          leave the server with which this computer is enrolled
  --insecure       allow plain http to another computer: the network sees the credential`,
  run: `run

  --state DIR               folder of the agent
  --once                    do what is due, then end; the exit code is 1 if the server cannot be reached
  --reboot-command COMMAND  line for the shell in place of the restart, shutdown and log-off of the system;
                            MUSTER_AGENT_REBOOT_COMMAND does the same. MUSTER_POWER_ACTION tells it what is asked for.
  --no-inventory            send no inventory and no patch scan; MUSTER_AGENT_INVENTORY=off does the same
  --pre-os                  say that this runs before the operating system`,
  status: 'status [--state DIR]',
  inventory: 'inventory',
  offers: 'offers [--state DIR]',
  take: 'take PACKAGE_ID [--state DIR]',
  suspend: `suspend [--mode MODE] [--until TIME] [--state DIR]

  --mode MODE   Suspended (the default), PresentationMode or MaintenanceMode
  --until TIME  such as 90m, 2h, 1d or a date with time; without it until 'resume'`,
  resume: 'resume [--state DIR]',
  postpone: `postpone --until TIME [--state DIR]

  --until TIME  such as 90m, 2h, 1d or a date with time. Each piece of work tells how often and until when it may wait;
                work that is forced does not wait.`,
  'os-installed': `os-installed [--failed] [--message TEXT] [--state DIR]

  --failed        it could not be installed
  --message TEXT  why, for those who look it up`,
}
