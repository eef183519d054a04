import { createBrowserRouter, Navigate } from 'react-router'
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { PageFault } from './page-fault.tsx'
import { takeReturnPath } from './return-path.ts'
import { SignedIn } from './signed-in.tsx'

/** After sign-in, returns to the page that was requested before. */
function Start() {
  return <Navigate to={takeReturnPath()} replace />
}

export const router = createBrowserRouter(
  [
    { path: '/sign-in', Component: SignInPage, ErrorBoundary: PageFault },
    {
      Component: SignedIn,
      ErrorBoundary: PageFault,
      HydrateFallback: () => null,
      children: [
        { index: true, Component: Start },
        {
          path: 'principals',
          lazy: async () => ({ Component: (await import('../pages/principals/principals-page.tsx')).PrincipalsPage }),
        },
        {
          path: 'principals/new',
          lazy: async () => ({
            Component: (await import('../pages/principal/new-principal-page.tsx')).NewPrincipalPage,
          }),
        },
        {
          path: 'principals/:kind/:id',
          lazy: async () => ({ Component: (await import('../pages/principal/principal-page.tsx')).PrincipalPage }),
        },
        {
          path: 'roles',
          lazy: async () => ({ Component: (await import('../pages/roles/roles-page.tsx')).RolesPage }),
        },
        {
          path: 'audit',
          lazy: async () => ({ Component: (await import('../pages/audit/audit-page.tsx')).AuditPage }),
        },
        {
          path: 'enrolment-tokens',
          lazy: async () => ({
            Component: (await import('../pages/enrolment-tokens/enrolment-tokens-page.tsx')).EnrolmentTokensPage,
          }),
        },
        {
          path: 'approvals',
          lazy: async () => ({ Component: (await import('../pages/approvals/approvals-page.tsx')).ApprovalsPage }),
        },
        {
          path: 'safety',
          lazy: async () => ({ Component: (await import('../pages/safety/safety-page.tsx')).SafetyPage }),
        },
        {
          path: 'about',
          lazy: async () => ({ Component: (await import('../pages/about/about-page.tsx')).AboutPage }),
        },
        { path: '*', Component: NotFoundPage },
      ],
    },
  ],
  { basename: '/admin' },
)
