import { matchPath } from 'react-router'

/** The guide of each page, by the path of its route: a document of `docs`, and the heading that is about the page. */
export const guidesOfPages: Record<string, string> = {
  '/': 'guides/console.md#pages',
  '/computers': 'guides/fleet.md#one-list-of-computers',
  '/computers/:id/:tab?': 'guides/explain.md#what-the-answer-says',
  '/groups/:id?/:tab?': 'guides/activation.md#through-which-groups',
  '/packages': 'guides/packages.md#upload-it',
  '/packages/:id': 'guides/deployments.md#one-package-on-all-computers',
  '/package-lines': 'guides/versions.md#see-the-versions',
  '/package-requests': 'guides/self-service.md#decide-about-requests',
  '/rollouts': 'guides/rollouts.md#see-what-would-happen',
  '/rollouts/:id': 'guides/rollouts.md#decide-when-it-continues-and-when-it-stops',
  '/tasks/:id': 'guides/deployments.md#tasks',
  '/patches': 'guides/patches.md#see-what-is-missing',
  '/patches/:id': 'guides/patches.md#release-patches-to-computers',
  '/patch-groups/:id': 'guides/patches.md#release-patches-to-computers',
  '/patches/compliance': 'guides/patches.md#see-what-is-missing',
  '/patches/policies': 'guides/patch-policies.md#patch-500-computers-every-week-without-touching-anything',
  '/patch-policies/:id': 'guides/patch-policies.md#rules',
  '/patches/groups': 'guides/patches.md#release-patches-to-computers',
  '/vulnerabilities': 'guides/vulnerabilities.md#see-what-is-affected',
  '/vulnerabilities/:key': 'guides/vulnerabilities.md#decide-what-needs-no-work',
  '/reports': 'guides/reports.md#make-a-report',
  '/reports/licences': 'guides/reports.md#count-licences',
  '/reports/mail-server': 'guides/reports.md#set-the-mail-server',
  '/reports/:id': 'guides/reports.md#what-happens-when-a-report-is-due',
  '/history': 'guides/fleet.md#one-request-per-page',
  '/variables/:id': 'guides/variables.md#where-a-variable-is-used',
  '/software': 'guides/inventory.md#find-computers-by-software',
  '/issues/:kind?': 'guides/issues.md#the-overview',
  '/infrastructure/:tab?': 'guides/depots.md#what-a-depot-does',
  '/admin/principals': 'guides/sign-in.md#replace-a-secret',
  '/admin/principals/new': 'guides/sign-in.md#configure-a-provider',
  '/admin/principals/:kind/:id': 'guides/sign-in.md#replace-a-secret',
  '/admin/roles': 'reference/roles.md',
  '/admin/audit': 'guides/keys.md#what-is-audited',
  '/admin/enrolment': 'guides/agent-channel.md#let-agents-in',
  '/admin/approvals': 'guides/blast-radius.md#approve-a-request',
  '/admin/safety': 'guides/blast-radius.md#set-a-quota',
  '/admin/webhooks': 'guides/events.md#send-failures-to-a-chat',
  '/admin/webhooks/:id': 'guides/events.md#send-failures-to-a-chat',
  '/admin/events': 'guides/events.md#three-ways-to-read',
  '/admin/desired-state/:tab?': 'guides/catalog.md#plan-and-apply',
  '/admin/about': 'guides/monitoring.md#checks',
  '/admin/sign-in': 'guides/sign-in.md',
}

/** Where the installation serves a document of `docs`. */
export const helpAddress = (document: string) =>
  `/help/${document.replace(/README\.md/, 'index.md').replace(/\.md(?=#|$)/, '.html')}`

/** The address of the guide of a page. A page that does not exist has none: then it is the list of all guides. */
export function guideOfPage(pathname: string): string {
  const path = Object.keys(guidesOfPages)
    .filter((pattern) => matchPath(pattern, pathname))
    // A path without parameters is more specific.
    .sort((one, other) => one.split(':').length - other.split(':').length)[0]
  return helpAddress(path === undefined ? 'guides/README.md' : (guidesOfPages[path] ?? 'guides/README.md'))
}
