{-# OPTIONS_GHC -fno-omit-yields #-}
-- A thread that spins without allocating could otherwise not be interrupted.

-- | Many threads are created, wait, and are ended, round after round.
module Spawn (spawn) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar (newEmptyMVar, putMVar, takeMVar)
import Control.Exception (throwIO)
import Control.Monad (forM, forM_, replicateM_, unless, when)
import Data.IORef (IORef, newIORef, readIORef, writeIORef)
import qualified Data.Map.Strict as Map
import GHC.Stats (gc, gcdetails_live_bytes, getRTSStats)
import System.Mem (performMajorGC)

import Measure

data Round = Round {created :: Int, ended :: Int, observed :: Int}

-- | One round: creates the threads, observes something while they wait, and ends them.
runRound :: Int -> Bool -> IO Int -> IO Round
runRound n busy observe = do
  spinning <- newIORef True
  allWait <- gathering n
  allEnded <- gathering n
  start <- now
  mailboxes <-
    if busy
      then do
        replicateM_ n (forkIO (spin spinning >> arrive allEnded))
        pure []
      else forM [1 .. n] $ \_ -> do
        mailbox <- newEmptyMVar
        _ <- forkIO (arrive allWait >> takeMVar mailbox >> arrive allEnded)
        pure mailbox
  unless busy (complete allWait)
  ready <- now
  seen <- observe
  begin <- now
  writeIORef spinning False
  forM_ mailboxes (`putMVar` ())
  complete allEnded
  end <- now
  pure (Round (ready - start) (end - begin) seen)

spin :: IORef Bool -> IO ()
spin spinning = do
  go <- readIORef spinning
  when go (spin spinning)

-- | The bytes that are live after a collection, stacks of threads among them.
inUse :: IO Int
inUse = do
  performMajorGC
  fromIntegral . gcdetails_live_bytes . gc <$> getRTSStats

spawn :: Args -> IO Metrics
spawn args = do
  n <- count "processes" 100000 args
  let kind = Map.findWithDefault "plain" "kind" args
  when (kind /= "plain") $
    throwIO (BadArgument ("threads have no links and no monitors, so there is no kind=" ++ kind))
  busy <- case Map.findWithDefault "false" "busy" args of
    "true" -> pure True
    "false" -> pure False
    text -> throwIO (BadArgument ("busy=" ++ text ++ " is neither true nor false"))

  rss <- resident
  cold <- runRound n busy (subtract rss <$> resident)
  begin <- now
  let more rounds = do
        time <- now
        let done = length rounds
        if done >= 101 || (done >= 5 && time - begin >= 1000000000)
          then pure rounds
          else do
            performMajorGC
            warm <- runRound n busy (pure 0)
            more (warm : rounds)
  warm <- more []
  used <- inUse
  memory <- runRound n busy (if busy then pure 0 else subtract used <$> inUse)

  let rounds = length warm + 2
      each value = value / fromIntegral n
  pure $
    [ ("ns_per_spawn", each (median (map created warm)))
    , ("rss_bytes_per_process", each (fromIntegral (observed cold)))
    , ("ns_per_spawn_cold", each (fromIntegral (created cold)))
    , ("ns_per_end", each (median (map ended warm)))
    , ("rounds", fromIntegral rounds)
    , ("ended", fromIntegral (rounds * n))
    ]
      ++ [("bytes_per_process", each (fromIntegral (observed memory))) | not busy]
