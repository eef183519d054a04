import { Stack } from '@mantine/core'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { Page } from '../../components/page.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { AgentPackages } from './agent-packages.tsx'
import { DuplicateUuids } from './duplicate-uuids.tsx'
import { NewToken } from './new-token-dialog.tsx'
import { QuarantinedAgents } from './quarantined-agents.tsx'
import { TokenList } from './token-list.tsx'
import { tokensKey } from './tokens.ts'

export function EnrolmentTokensPage() {
  const { tokens } = useTexts()
  const queryClient = useQueryClient()
  const isFetching = useIsFetching({ queryKey: tokensKey }) > 0
  return (
    <Page
      title={tokens.title}
      intro={tokens.intro}
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
        <TokenList />
        <AgentPackages />
        <QuarantinedAgents />
        <DuplicateUuids />
      </Stack>
    </Page>
  )
}
