import { enDuration } from './durations.ts'

const number = (n: number) => n.toLocaleString('en')
const count = (n: number, one: string, many: string) => `${number(n)} ${n === 1 ? one : many}`
const computers = (n: number) => count(n, 'computer', 'computers')
const is = (n: number) => (n === 1 ? 'is' : 'are')
const has = (n: number) => (n === 1 ? 'has' : 'have')

/** What people do with a selection of computers. */
export const enSelection = {
  more: 'More actions',
  deploysSome: (n: number, all: number) => `Deploys to ${number(n)} of ${computers(all)}, at once.`,
  deployHint: 'To deploy in rings, add the computers to a group and deploy that group.',
  restartsLater: (n: number, minutes: number) =>
    `Restarts ${computers(n)} after work that has begun. From the next contact on, logged-on users have ${enDuration(minutes)}.`,
  install: {
    open: 'Install package…',
    title: 'Install a package',
    confirm: 'Install',
    describe: (name: string, n: number) =>
      `Installs ${name} on ${computers(n)} at their next contact, and nothing else.`,
    nothing: (name: string) => `There is nothing to do: ${name} is in place on these computers, or is not for them.`,
    joins: (path: string, n: number) => `${computers(n)} ${n === 1 ? 'joins' : 'join'} ${path}`,
    through: (path: string, n: number) => `${computers(n)} ${has(n)} it assigned through ${path}`,
    alreadyInstalled: (n: number) => `${computers(n)} ${has(n)} it already.`,
    notApplicable: (n: number) => `It is not for ${computers(n)}.`,
    toUninstall: (n: number) =>
      `${computers(n)} ${is(n)} left out, because the distribution options of the group say Uninstall.`,
    done: (name: string) => `${name} is being installed.`,
    undone: (n: number) => `${computers(n)} left the group. What had not begun was cancelled.`,
  },
  uninstall: {
    open: 'Uninstall package…',
    title: 'Uninstall a package',
    confirm: 'Uninstall',
    describe: (name: string, n: number) =>
      `Uninstalls ${name} from ${computers(n)} of the selection at their next contact.`,
    nothing: (name: string) => `There is nothing to do: ${name} is not installed on these computers by an assignment.`,
    groups: 'The distribution options of these groups change to Uninstall; the assignments stay:',
    group: (path: string, selected: number, all: number) =>
      `${path}: ${number(selected)} of ${computers(all)} selected`,
    others: (n: number) =>
      `${count(n, 'other computer', 'other computers')} of these groups will uninstall it, too, when ${n === 1 ? 'it is' : 'they are'} deployed next.`,
    alreadyPending: (n: number) => `On ${computers(n)}, the uninstallation is already on its way.`,
    notInstalled: (n: number) => `It is not installed on ${computers(n)}.`,
    notAssigned: (n: number) => `It is not assigned to ${computers(n)}, which keep what they have.`,
    done: (name: string) => `${name} is being uninstalled.`,
    undone: (name: string) => `The groups install ${name} again. What had not begun was cancelled.`,
  },
  remove: {
    open: 'Delete…',
    title: 'Delete computers',
    confirm: 'Delete',
    describe: (n: number) =>
      `Deletes ${computers(n)} with inventory, history, variable values and credentials. This cannot be undone.`,
    groupMembers: (n: number) => `${computers(n)} ${is(n)} in groups and ${n === 1 ? 'leaves' : 'leave'} them.`,
    depots: (n: number) =>
      `${count(n, 'of them is a depot', 'of them are depots')} in the lists of groups, whose computers download elsewhere from then on.`,
    masterServer: 'The master server is kept.',
    done: (n: number) => `Deleted ${computers(n)}.`,
  },
}
