import { Anchor, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CopyBlock } from '../../../components/copy-block.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { useFirstStepsTexts } from '../../../texts/first-steps-texts.ts'
import type { Steps } from '../use-overview.ts'
import { EnrolCommand } from './enrol-command.tsx'
import type { FirstStepProps } from './first-step.tsx'

/** The steps of which the person may know whether they are done. */
export function useStepList(steps: Steps): FirstStepProps[] {
  const firstSteps = useFirstStepsTexts()
  const isAdministrator = useHasRole('admin.manage')
  const mayReadPackages = useHasRole('package.read')
  const { computer, package: example, deployment, provider, backup } = firstSteps
  const { commands } = steps
  const where = commands && (commands.isClone ? firstSteps.onServer : firstSteps.onServerAsRoot)
  return [
    {
      id: 'computer',
      title: computer.title,
      isDone: steps.hasComputer,
      body: commands ? <EnrolCommand isClone={commands.isClone} /> : <Hint>{computer.needsRole}</Hint>,
    },
    ...(mayReadPackages
      ? [
          {
            id: 'package',
            title: example.title,
            isDone: steps.hasPackage ?? false,
            body: (
              <Command label={example.command} value={commands?.copyExample}>
                {example.hint} {where} <PageLink to="/packages?import=greeting">{example.link}</PageLink>
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
              <Command label={provider.command} value={commands?.useProviders}>
                {provider.hint}
              </Command>
            ),
          },
          {
            id: 'backup',
            title: backup.title,
            isDone: steps.lastBackupUtc !== null,
            body: (
              <Command label={backup.command} value={commands?.backUp}>
                {backup.hint} {where}
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

type CommandProps = { label: string; value: string | null | undefined; children: ReactNode }

/** A hint with the command of this installation, if the person may know it. */
function Command({ label, value, children }: CommandProps) {
  return (
    <Stack gap="xs" maw={720}>
      <Hint>{children}</Hint>
      {value && <CopyBlock label={label} value={value} />}
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
