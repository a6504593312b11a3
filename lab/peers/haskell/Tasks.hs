-- | Many threads wait at the same time; the program ends when all have.
module Tasks (tasks) where

import Control.Concurrent (forkIO, threadDelay)
import Control.Monad (replicateM_)

import Measure

tasks :: Args -> IO Metrics
tasks args = do
  n <- count "tasks" 1000000 args
  wait <- count "wait" 10000 args
  running <- gathering n
  start <- now
  replicateM_ n (forkIO (threadDelay (wait * 1000) >> arrive running))
  started <- now
  complete running
  end <- now
  pure
    [ ("wall_seconds", fromIntegral (end - start) / 1e9)
    , ("start_seconds", fromIntegral (started - start) / 1e9)
    , ("completed", fromIntegral n)
    ]
