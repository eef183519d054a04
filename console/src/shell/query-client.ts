import { QueryClient } from '@tanstack/react-query'
import { hasStatus } from '../api/problem.ts'

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // Requests fail at once without a network, instead of waiting for it without a word.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && (hasStatus(error, 0) || hasStatus(error, 503)),
      },
    },
  })
