package io.selvage.peers.kotlin

import io.selvage.peers.Programs
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

private object Answer

private class Question(val reply: CompletableDeferred<Answer>)

/** A coroutine that answers one question. */
class Startup : Programs.Startup {
    override fun answers(): Int = runBlocking(Dispatchers.Default) {
        val questions = Channel<Question>()
        launch { for (question in questions) question.reply.complete(Answer) }

        val reply = CompletableDeferred<Answer>()
        questions.send(Question(reply))
        val answer = reply.await()
        questions.close()
        if (answer === Answer) 1 else 0
    }
}
