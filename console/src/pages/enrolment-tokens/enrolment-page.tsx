import { Stack, Text } from '@mantine/core'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { Page } from '../../components/page.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useTokenTexts } from '../../texts/token-texts.ts'
import { AgentPackages } from './agent-packages.tsx'
import { DuplicateUuids } from './duplicate-uuids.tsx'
import { NewToken } from './new-token-dialog.tsx'
import { QuarantinedAgents } from './quarantined-agents.tsx'
import { TokenList } from './token-list.tsx'
import { tokensKey } from './tokens.ts'

/** How computers are added: the tokens with their commands, what installs the agent, and the agents that wait for a person. */
export function EnrolmentPage() {
  const { shell } = useTexts()
  const tokens = useTokenTexts()
  const { commands } = useInfrastructureTexts()
  const queryClient = useQueryClient()
  const isFetching = useIsFetching({ queryKey: tokensKey }) > 0
  return (
    <Page
      title={shell.enrolment}
      intro={commands.intro}
      actions={
        <>
          <RefreshButton
            isFetching={isFetching}
            refetch={() => queryClient.invalidateQueries({ queryKey: tokensKey })}
          />
          <NewToken />
        </>
      }
    >
      <Stack gap="xl">
        <Text size="sm" c="dimmed">
          {commands.existing}
        </Text>
        <QuarantinedAgents />
        <AgentPackages />
        <DuplicateUuids />
        <TitledTable title={tokens.title} hint={tokens.intro}>
          <TokenList />
        </TitledTable>
      </Stack>
    </Page>
  )
}
