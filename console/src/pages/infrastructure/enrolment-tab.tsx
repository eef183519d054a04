import { Stack, Text } from '@mantine/core'
import { Section } from '../../components/section.tsx'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { AgentPackages } from '../enrolment-tokens/agent-packages.tsx'
import { DuplicateUuids } from '../enrolment-tokens/duplicate-uuids.tsx'
import { NewToken } from '../enrolment-tokens/new-token-dialog.tsx'
import { QuarantinedAgents } from '../enrolment-tokens/quarantined-agents.tsx'
import { TokenList } from '../enrolment-tokens/token-list.tsx'
import { TableSection } from './table-section.tsx'

/** How computers are added: the commands, the tokens in them, and the agents that wait for a person. */
export function EnrolmentTab() {
  const { tokens } = useTexts()
  const infrastructure = useInfrastructureTexts()
  const { commands } = infrastructure
  return (
    <Stack gap="xl">
      <Section title={commands.title} actions={<NewToken />}>
        <Stack gap="sm">
          <Text size="sm">{commands.intro}</Text>
          <Text size="sm" c="dimmed">
            {commands.existing}
          </Text>
        </Stack>
      </Section>
      <AgentPackages />
      <QuarantinedAgents />
      <DuplicateUuids />
      <TableSection title={tokens.title}>
        <TokenList />
      </TableSection>
    </Stack>
  )
}
