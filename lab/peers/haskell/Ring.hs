-- | One token round a ring of threads; each counts what it gets.
module Ring (ring) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Control.Monad (foldM, replicateM)

import Measure

data Lap = Token | Stop

member :: MVar Int -> MVar Lap -> MVar Lap -> IO ()
member counts inbox next = go 0
  where
    go :: Int -> IO ()
    go counted = counted `seq` do
      lap <- takeMVar inbox
      putMVar next lap
      case lap of
        Token -> go (counted + 1)
        Stop -> putMVar counts counted

lastMember :: MVar Int -> Int -> MVar () -> MVar Lap -> MVar Lap -> IO ()
lastMember counts rounds ranAllRounds inbox first = go 0
  where
    go :: Int -> IO ()
    go counted = counted `seq` do
      lap <- takeMVar inbox
      case lap of
        Token
          | counted + 1 == rounds -> putMVar ranAllRounds () >> go (counted + 1)
          | otherwise -> putMVar first Token >> go (counted + 1)
        Stop -> putMVar counts counted

-- | The nanoseconds of setup and of the run.
runRing :: Int -> Int -> IO (Int, Int)
runRing processes rounds = do
  counts <- newEmptyMVar
  ranAllRounds <- newEmptyMVar
  start <- now
  first <- newEmptyMVar
  let link inbox _ = do
        next <- newEmptyMVar
        _ <- forkIO (member counts inbox next)
        pure next
  inboxOfLast <- foldM link first [2 .. processes]
  _ <- forkIO (lastMember counts rounds ranAllRounds inboxOfLast first)
  ready <- now

  putMVar first Token
  takeMVar ranAllRounds
  end <- now

  putMVar first Stop
  counted <- replicateM processes (takeMVar counts)
  ensure "delivered messages" (sum counted) (processes * rounds)
  pure (ready - start, end - ready)

ring :: Args -> IO Metrics
ring args = do
  processes <- count "processes" 3000 args
  rounds <- count "rounds" 1000 args
  let few = max 1 (rounds `div` 10)
      messages = processes * rounds
      per total n = fromIntegral total / fromIntegral n
  (coldSetup, coldRun) <- runRing processes few
  (setup, run) <- runRing processes rounds
  pure
    [ ("us_per_spawn", per setup processes / 1e3)
    , ("ns_per_message", per run messages)
    , ("messages", fromIntegral messages)
    , ("setup_seconds", fromIntegral setup / 1e9)
    , ("run_seconds", fromIntegral run / 1e9)
    , ("us_per_spawn_cold", per coldSetup processes / 1e3)
    , ("ns_per_message_cold", per coldRun (processes * few))
    ]
