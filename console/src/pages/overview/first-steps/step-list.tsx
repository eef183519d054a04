import { Anchor, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CopyField } from '../../../components/copy-field.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { Steps } from '../use-overview.ts'
import { EnrolCommand } from './enrol-command.tsx'
import type { FirstStepProps } from './first-step.tsx'

/** The steps of which the person may know whether they are done. */
export function useStepList(steps: Steps): FirstStepProps[] {
  const { firstSteps } = useTexts().overview
  const isAdministrator = useHasRole('admin.manage')
  const mayReadPackages = useHasRole('package.read')
  const { computer, package: example, deployment, provider, backup } = firstSteps
  return [
    {
      id: 'computer',
      title: computer.title,
      isDone: steps.hasComputer,
      body: isAdministrator ? <EnrolCommand /> : <Hint>{computer.needsRole}</Hint>,
    },
    ...(mayReadPackages
      ? [
          {
            id: 'package',
            title: example.title,
            isDone: steps.hasPackage ?? false,
            body: (
              <Command label={example.command} value="cp -r examples/packages/greeting data/packages/">
                {example.hint} <PageLink to="/packages">{example.link}</PageLink>
              </Command>
            ),
          },
        ]
      : []),
    {
      id: 'deployment',
      title: deployment.title,
      isDone: steps.hasDeployment,
      body: (
        <Hint>
          {deployment.hint} <PageLink to="/groups">{deployment.link}</PageLink>
        </Hint>
      ),
    },
    ...(isAdministrator
      ? [
          {
            id: 'provider',
            title: provider.title,
            isDone: steps.hasIdentityProvider,
            body: (
              <Command label={provider.command} value="MUSTER_OIDC_PROVIDERS_FILE=providers.json npm start">
                {provider.hint}
              </Command>
            ),
          },
          {
            id: 'backup',
            title: backup.title,
            isDone: steps.lastBackupUtc !== null,
            body: (
              <Command label={backup.command} value="npm run backup -- muster.backup">
                {backup.hint}
              </Command>
            ),
          },
        ]
      : []),
  ]
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function Command({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <Stack gap={6} maw={640}>
      <Hint>{children}</Hint>
      <CopyField label={label} value={value} />
    </Stack>
  )
}

function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} size="sm" underline="always">
      {children}
    </Anchor>
  )
}
