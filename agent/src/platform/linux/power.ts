import type { Power, PowerAction } from '../machine.ts'
import { runShell } from './processes.ts'

const commands: Record<PowerAction, string> = {
  Reboot: 'systemctl reboot || shutdown -r now',
  Shutdown: 'systemctl poweroff || shutdown -h now',
  LogOff: "loginctl list-sessions --no-legend | awk '{ print $1 }' | xargs -r -n 1 loginctl terminate-session",
}

export const power: Power = {
  describe: (action) => commands[action],
  perform: (action) => runShell(commands[action], { ...process.env, MUSTER_POWER_ACTION: action }),
}
