import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx'
import { KnownFilters, type PageHandle } from './known-filters.tsx'
import { PageFault } from './page-fault.tsx'
import { filtersOf } from './page-filters.ts'
import { SignedIn } from './signed-in.tsx'

/** A page whose code is loaded when it is opened. */
function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  const handle: PageHandle = { filtersOf: (tab) => filtersOf(path, tab) }
  return { path, handle, lazy: async () => ({ Component: await load() }) }
}

const fleet: RouteObject[] = [
  page('/', async () => (await import('../pages/overview/overview-page.tsx')).OverviewPage),
  page('/computers', async () => (await import('../pages/computers/computers-page.tsx')).ComputersPage),
  page('/computers/:id/:tab?', async () => (await import('../pages/computer/computer-page.tsx')).ComputerPage),
  page('/groups/:id?/:tab?', async () => (await import('../pages/groups/groups-page.tsx')).GroupsPage),
  page('/packages', async () => (await import('../pages/packages/packages-page.tsx')).PackagesPage),
  page('/packages/:id', async () => (await import('../pages/package/package-page.tsx')).PackagePage),
  page('/package-lines', async () => (await import('../pages/package-lines/package-lines-page.tsx')).PackageLinesPage),
  page('/package-requests', async () => {
    return (await import('../pages/package-requests/package-requests-page.tsx')).PackageRequestsPage
  }),
  page('/rollouts', async () => (await import('../pages/rollouts/rollouts-page.tsx')).RolloutsPage),
  page('/rollouts/:id', async () => (await import('../pages/rollout/rollout-page.tsx')).RolloutPage),
  page('/tasks/:id', async () => (await import('../pages/task/task-page.tsx')).TaskPage),
  page('/patches', async () => (await import('../pages/patches/patches-page.tsx')).PatchesPage),
  page('/patches/compliance', async () => (await import('../pages/patches/patches-page.tsx')).PatchesPage),
  page('/patches/policies', async () => (await import('../pages/patches/patches-page.tsx')).PatchesPage),
  page('/patches/groups', async () => (await import('../pages/patches/patches-page.tsx')).PatchesPage),
  page('/patches/:id', async () => (await import('../pages/patch/patch-page.tsx')).PatchPage),
  page('/patch-groups/:id', async () => (await import('../pages/patch-group/patch-group-page.tsx')).PatchGroupPage),
  page(
    '/patch-policies/:id',
    async () => (await import('../pages/patch-policy/patch-policy-page.tsx')).PatchPolicyPage,
  ),
  page('/vulnerabilities', async () => {
    return (await import('../pages/vulnerabilities/vulnerabilities-page.tsx')).VulnerabilitiesPage
  }),
  page('/vulnerabilities/:key', async () => {
    return (await import('../pages/vulnerability/vulnerability-page.tsx')).VulnerabilityPage
  }),
  page('/software', async () => (await import('../pages/software/software-page.tsx')).SoftwarePage),
  page('/reports', async () => (await import('../pages/reports/reports-page.tsx')).ReportsPage),
  page('/reports/licences', async () => (await import('../pages/reports/reports-page.tsx')).ReportsPage),
  page('/reports/mail-server', async () => (await import('../pages/reports/reports-page.tsx')).ReportsPage),
  page('/reports/:id', async () => (await import('../pages/report/report-page.tsx')).ReportPage),
  page('/history', async () => (await import('../pages/history/history-page.tsx')).HistoryPage),
  page('/issues/:kind?', async () => (await import('../pages/issues/issues-page.tsx')).IssuesPage),
  page('/infrastructure/:tab?', async () => {
    return (await import('../pages/infrastructure/infrastructure-page.tsx')).InfrastructurePage
  }),
  page('/variables/:id', async () => (await import('../pages/variable/variable-page.tsx')).VariablePage),
]

const administration: RouteObject[] = [
  { path: '/admin', element: <Navigate to="/admin/principals" replace /> },
  page('/admin/principals', async () => (await import('../pages/principals/principals-page.tsx')).PrincipalsPage),
  page('/admin/principals/new', async () => {
    return (await import('../pages/principal/new-principal-page.tsx')).NewPrincipalPage
  }),
  page(
    '/admin/principals/:kind/:id',
    async () => (await import('../pages/principal/principal-page.tsx')).PrincipalPage,
  ),
  page('/admin/roles', async () => (await import('../pages/roles/roles-page.tsx')).RolesPage),
  page('/admin/audit', async () => (await import('../pages/audit/audit-page.tsx')).AuditPage),
  page('/admin/enrolment', async () => {
    return (await import('../pages/enrolment-tokens/enrolment-page.tsx')).EnrolmentPage
  }),
  // Former addresses, which people have in their bookmarks.
  { path: '/admin/enrolment-tokens', element: <Navigate to="/admin/enrolment" replace /> },
  { path: '/infrastructure/enrolment', element: <Navigate to="/admin/enrolment" replace /> },
  page('/admin/approvals', async () => (await import('../pages/approvals/approvals-page.tsx')).ApprovalsPage),
  page('/admin/safety', async () => (await import('../pages/safety/safety-page.tsx')).SafetyPage),
  page('/admin/webhooks', async () => (await import('../pages/webhooks/webhooks-page.tsx')).WebhooksPage),
  page('/admin/webhooks/:id', async () => (await import('../pages/webhook/webhook-page.tsx')).WebhookPage),
  page('/admin/events', async () => (await import('../pages/events/events-page.tsx')).EventsPage),
  page('/admin/desired-state/:tab?', async () => {
    return (await import('../pages/desired-state/desired-state-page.tsx')).DesiredStatePage
  }),
  page('/admin/about', async () => (await import('../pages/about/about-page.tsx')).AboutPage),
]

export const routes: RouteObject[] = [
  {
    ...page('/admin/sign-in', async () => (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage),
    ErrorBoundary: PageFault,
    HydrateFallback: () => null,
  },
  {
    Component: SignedIn,
    ErrorBoundary: PageFault,
    HydrateFallback: () => null,
    children: [
      {
        Component: KnownFilters,
        // A page that fails does not take the frame with it.
        ErrorBoundary: PageFault,
        children: [...fleet, ...administration, { path: '*', Component: NotFoundPage }],
      },
    ],
  },
]
